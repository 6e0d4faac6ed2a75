import StateLog
import TestSupport
import Threading

/// What stores whose logs a driver keeps need of a system: a clock that only waits advance, and
/// chance from a seed. They use no files.
final class VirtualSystem: FileSystem, @unchecked Sendable {
  private struct State {
    var time: Int64 = 1_700_000_000_000
    var nanoseconds = 0
    var random: SeededGenerator
  }

  private let state: Mutex<State>

  init(_ seed: Int) {
    self.state = Mutex(State(random: SeededGenerator(seed)))
  }

  var time: Int64 { self.state.withLock { $0.time } }
  var uptime: Int64 { self.time }
  var process: Int32 { 1 }

  func randomBits(_ count: Int) -> [UInt8] {
    self.state.withLock { state in
      (0..<count / 8).map { _ in UInt8.random(in: .min ... .max, using: &state.random) }
    }
  }

  func pause(nanoseconds: Int) {
    self.state.withLock { state in
      state.nanoseconds += nanoseconds
      state.time += Int64(state.nanoseconds / 1_000_000)
      state.nanoseconds %= 1_000_000
    }
  }

  func resolve(_ path: String) throws(LogError) -> String { path }
  func open(_ path: String, _ mode: OpenMode) throws(LogError) -> any File { throw Self.noFiles }
  func rename(_ path: String, to newPath: String) throws(LogError) { throw Self.noFiles }
  func link(_ path: String, to newPath: String) throws(LogError) { throw Self.noFiles }
  func remove(_ path: String) throws(LogError) { throw Self.noFiles }
  func syncFolder(of path: String) throws(LogError) { throw Self.noFiles }
  func status(of path: String) throws(LogError) -> FileStatus? { throw Self.noFiles }
  func networkFileSystem(of path: String) -> String? { nil }
  func holder(of file: FileIdentity, byte: Int?) -> LockHolder? { nil }

  private static let noFiles = LogError(.io, "a virtual system has no files")
}
