import ImmutableJSON
import Threading

extension AnyStore {
  /// Dispatches an action given as JSON text.
  public func dispatch(json text: UnsafeRawBufferPointer) throws(EngineError) {
    let scope = try self.enter(.dispatch)
    try self.dispatch(text: text, in: scope)
  }

  /// Dispatches a batch given as the JSON text of an array.
  public func dispatch(batchJSON text: UnsafeRawBufferPointer) throws(EngineError) {
    let scope = try self.enter(.dispatch)
    try self.dispatch(batchText: text, in: scope)
  }
}

/// The role of a JSON text from a caller, for messages.
public enum TextRole: String, Sendable {
  case action, batch, arguments, options, state, value

  /// The beginning of a sentence: "the action is".
  package var subject: String {
    switch self {
    case .action, .batch, .state, .value: "the \(self.rawValue) is"
    case .arguments, .options: "the \(self.rawValue) are"
    }
  }

  fileprivate var shape: String {
    switch self {
    case .action: #"an action is an object such as {"type":"…"}"#
    case .batch: #"a batch is an array of actions such as [{"type":"…"}]"#
    case .arguments, .options: #"\#(self.rawValue) are an object such as {"name":"value"}"#
    case .state, .value: #"write JSON text such as {"name":"value"}"#
    }
  }
}

extension Value {
  /// Parses JSON text from a caller.
  public init(reading text: UnsafeRawBufferPointer, _ role: TextRole) throws(EngineError) {
    do {
      self = try Value(json: text)
    } catch {
      throw EngineError(error, role)
    }
  }
}

extension EngineError {
  fileprivate init(_ error: JSONParseError, _ role: TextRole) {
    switch error.code {
    case .invalid:
      self.init(.invalidJSON, "\(role.subject) not JSON: \(error.message); \(role.shape)")
    case .limit:
      self.init(.limit, "\(role.subject) beyond a limit: \(error.message)")
    }
    self.line = error.line
    self.column = error.column
    self.offset = error.offset
  }

  /// For a text that a caller passed.
  package static func inputLimit(_ name: String) -> EngineError {
    EngineError(
      .limit,
      "\(name) has more than \(counted(ValueLimits.input, "byte")), which is the input limit")
  }
}

extension String {
  /// Converts a name or an expression that a caller passed.
  ///
  /// - Parameter role: What it is, for the message.
  /// - Throws: ``EngineError``: `limit`; `invalidArgument` unless it is UTF-8.
  package init(name bytes: UnsafeRawBufferPointer, _ role: String) throws(EngineError) {
    guard bytes.count <= ValueLimits.input else { throw .inputLimit(role) }
    guard let name = String(validating: bytes, as: UTF8.self) else {
      // The C++ classes write a NUL so, which would end a C string.
      throw EngineError(
        .invalidArgument,
        bytes.containsModifiedNUL
          ? "the \(role) contains U+0000, which ends a C string; remove it"
          : "the \(role) is not UTF-8; pass it as UTF-8")
    }
    self = name
  }
}

extension UnsafeRawBufferPointer {
  /// Whether it contains C0 80: U+0000 in modified UTF-8, as Java writes it.
  fileprivate var containsModifiedNUL: Bool {
    zip(self, self.dropFirst()).contains { $0 == 0xC0 && $1 == 0x80 }
  }
}
