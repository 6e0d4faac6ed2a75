import CImmutableData
import ImmutableJSON
import StateEngine

/// Runs the body of an exported function, and converts its error to a status and an `imd_error`.
func attempt(_ error: Out<imd_error>, _ body: () throws -> Void) -> imd_status {
  do {
    try body()
    error?.pointee.clear()
    return IMD_OK
  } catch let thrown {
    return fail(with: thrown, error)
  }
}

// Not inlined: it would make each export longer.
@inline(never)
private func fail(with thrown: any Error, _ error: Out<imd_error>) -> imd_status {
  let failure = EngineError(thrown)
  error?.pointee.set(failure)
  return failure.code.status
}

/// The same for a function that returns a count, which is 0 if it fails.
func returnCount(
  _ out: Out<Int>, _ error: Out<imd_error>, _ body: () throws -> Int
) -> imd_status {
  out?.pointee = 0
  return attempt(error) {
    let count = try body()
    out?.pointee = count
  }
}

extension EngineError.Code {
  var status: imd_status {
    switch self {
    case .invalidArgument: IMD_INVALID_ARGUMENT
    case .invalidJSON: IMD_INVALID_JSON
    case .invalidAction: IMD_INVALID_ACTION
    case .unknownDomain: IMD_UNKNOWN_DOMAIN
    case .unknownSelector: IMD_UNKNOWN_SELECTOR
    case .reducerFailed: IMD_REDUCER_FAILED
    case .reentrant: IMD_REENTRANT
    case .limit: IMD_LIMIT
    case .closed: IMD_CLOSED
    case .invalidSelector: IMD_INVALID_SELECTOR
    case .notFound: IMD_NOT_FOUND
    case .timeout: IMD_TIMEOUT
    case .io: IMD_IO
    case .corrupt: IMD_CORRUPT
    case .unavailable: IMD_UNAVAILABLE
    case .refused: IMD_REFUSED
    case .diverged: IMD_DIVERGED
    case .outdated: IMD_OUTDATED
    }
  }
}

extension EngineError {
  /// Converts an error of the engine, or of reading or changing a value.
  fileprivate init(_ error: any Error) {
    switch error {
    case let error as EngineError: self = error
    case let error as JSONPointerError: self.init(error.code.engineCode, error.message)
    case let error as ValueLimitError: self.init(error)
    case let error as JSONPatchError: self.init(error.code.engineCode, error.message)
    default: self.init(.invalidArgument, "\(error)")
    }
  }
}

extension JSONPointerError.Code {
  fileprivate var engineCode: EngineError.Code {
    switch self {
    case .invalid: .invalidArgument
    case .notFound: .notFound
    case .limit: .limit
    }
  }
}

extension JSONPatchError.Code {
  fileprivate var engineCode: EngineError.Code {
    switch self {
    case .invalid, .testFailed: .invalidArgument
    case .notFound: .notFound
    case .limit: .limit
    }
  }
}

extension imd_error {
  mutating func clear() {
    self.status = IMD_OK
    self.code = 0
    self.line = 0
    self.column = 0
    self.offset = 0
    self.message.0 = 0
  }

  mutating func set(_ failure: EngineError) {
    self.status = failure.code.status
    self.code = failure.programCode
    self.line = CInt(clamping: failure.line)
    self.column = CInt(clamping: failure.column)
    self.offset = failure.offset
    self.set(message: failure.message)
  }

  /// The message. Bytes that are not UTF-8 are replaced.
  var text: String {
    withUnsafeBytes(of: self.message) { message in
      String(decoding: message.prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  private mutating func set(message: String) {
    withUnsafeMutableBytes(of: &self.message) { buffer in
      buffer.fill(message)
    }
  }
}

extension UnsafeMutableRawBufferPointer {
  /// Writes text and a NUL. Text that does not fit is truncated at a code point and ends in "…".
  fileprivate func fill(_ text: String) {
    let limit = self.count - 1
    var truncated = Substring(text)
    if text.utf8.count > limit {
      let ellipsis: Character = "…"
      while truncated.utf8.count + ellipsis.utf8.count > limit {
        truncated.unicodeScalars.removeLast()
      }
      truncated.append(ellipsis)
    }
    self.copyBytes(from: truncated.utf8)
    self[truncated.utf8.count] = 0
  }
}
