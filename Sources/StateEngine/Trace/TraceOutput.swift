import ImmutableJSON
import Threading
import Glibc

/// Where a trace is written: lines to read on standard error, or JSON Lines in a file.
///
/// Each line is one call of the system, so that those of threads and processes do not mix.
final class TraceOutput: Sendable {
  private let descriptor: Int32

  /// `nil` for JSON Lines.
  private let text: TraceText?

  private init(_ descriptor: Int32, _ text: TraceText?) {
    self.descriptor = descriptor
    self.text = text
  }

  deinit {
    if self.text == nil { close(self.descriptor) }
  }
}

extension TraceOutput {
  /// Standard error. It has colors if it is a terminal, and `NO_COLOR` is not set.
  static var standardError: TraceOutput {
    let hasColors =
      isatty(STDERR_FILENO) == 1 && TraceEnvironment.variable("NO_COLOR") == nil
      && TraceEnvironment.variable("TERM") != "dumb"
    return TraceOutput(STDERR_FILENO, TraceText(hasColors: hasColors))
  }

  /// A file, to which lines are appended. Only its owner can read a new one.
  ///
  /// - Throws: ``EngineError``: `invalidArgument` for a path that cannot be one; `io`.
  static func file(_ path: String) throws(EngineError) -> TraceOutput {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw EngineError(.invalidArgument, "the path of a trace must not be empty or contain a NUL")
    }
    // Not blocking, so that a pipe without a reader is an error.
    let descriptor = openDescriptor(path, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else {
      throw EngineError(
        .io, "the trace \(quoted(path)) cannot be opened: \(String(cString: strerror(errno)))")
    }
    var status = stat()
    let kind = fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : 0
    // A write to a pipe could end the process.
    guard kind == S_IFREG || kind == S_IFCHR else {
      close(descriptor)
      throw EngineError(.io, "the trace \(quoted(path)) is not a file or a terminal")
    }
    _ = fcntl(descriptor, F_SETFL, O_APPEND)
    return TraceOutput(descriptor, nil)
  }

  func write(_ line: Value) {
    var bytes = self.text?.bytes(of: line) ?? line.utf8JSON
    bytes.append(UInt8(ascii: "\n"))
    Self.write(bytes, to: self.descriptor)
  }

  /// Tells of what no function can return, such as a mistake in the environment.
  static func warn(_ message: String) {
    Self.write(Array("immutabledata: \(message)\n".utf8), to: STDERR_FILENO)
  }

  /// Writes all bytes, unless that fails.
  private static func write(_ bytes: [UInt8], to descriptor: Int32) {
    bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let written = systemWrite(descriptor, UnsafeRawBufferPointer(rebasing: rest))
        guard written > 0 || (written < 0 && errno == EINTR) else { return }
        rest = rest.dropFirst(max(written, 0))
      }
    }
  }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}
