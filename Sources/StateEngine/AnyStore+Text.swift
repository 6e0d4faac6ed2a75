import ImmutableJSON

extension AnyStore {
  /// Sends an action that is JSON text.
  public func dispatch(json text: UnsafeRawBufferPointer) throws(EngineError) {
    try self.dispatch(Value(reading: text, .action))
  }

  /// Sends actions that are JSON text of an array.
  public func dispatch(batchJSON text: UnsafeRawBufferPointer) throws(EngineError) {
    try self.dispatch(batch: Value(reading: text, .batch))
  }

  /// The output of a selector, as canonical JSON text.
  ///
  /// - Parameter arguments: JSON text of an object, or `nil` for none.
  public func select(
    _ selector: String, argumentsJSON arguments: UnsafeRawBufferPointer?
  ) throws(EngineError) -> [UInt8] {
    let arguments = try arguments.map { text throws(EngineError) in
      try Value(reading: text, .arguments)
    }
    return try self.select(selector, arguments ?? [:]).utf8JSON
  }
}

/// What a text is for, as messages name it.
enum TextRole: String {
  case action, batch, arguments, options

  fileprivate var subject: String {
    switch self {
    case .action, .batch: "the \(self.rawValue) is"
    case .arguments, .options: "the \(self.rawValue) are"
    }
  }

  fileprivate var shape: String {
    switch self {
    case .action: #"an action is an object such as {"type":"…"}"#
    case .batch: #"a batch is an array of actions such as [{"type":"…"}]"#
    case .arguments, .options: #"\#(self.rawValue) are an object such as {"name":"value"}"#
    }
  }
}

extension Value {
  /// Reads a caller's text.
  init(reading text: UnsafeRawBufferPointer, _ role: TextRole) throws(EngineError) {
    do {
      self = try Value(json: text)
    } catch {
      throw EngineError(error, role)
    }
  }
}

extension EngineError {
  fileprivate init(_ error: JSONReadError, _ role: TextRole) {
    switch error.code {
    case .invalid:
      self.init(.invalidJSON, "\(role.subject) not JSON: \(error.message); \(role.shape)")
    case .limit:
      self.init(
        .limit,
        "\(role.subject) beyond a limit: \(error.message); nesting goes \(Value.maximumDepth) deep, "
          + "integers have 64 bits, other numbers are doubles")
    }
    self.line = error.line
    self.column = error.column
    self.offset = error.offset
  }
}
