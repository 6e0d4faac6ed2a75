import ImmutableJSON

/// A selector of a domain: its name, arguments and output, and the function that computes it.
public struct SelectorDescription<State: Sendable>: Sendable {
  public let name: String

  /// One sentence about the output.
  public let summary: String

  public let arguments: [Schema.Property]

  /// The shape of the output. In a debug build, a select throws ``EngineError`` (`invalidArgument`)
  /// if the output has another shape.
  public let output: Schema

  /// All parts of the state that the selector reads; `nil` for the whole state.
  ///
  /// While these parts are unchanged, outputs stay cached and observers are not called. So the
  /// output must depend only on them and on the arguments. If a part is missing here, callers get
  /// old outputs without an error. In a debug build, a select evaluates such an output again, and
  /// throws ``EngineError`` (`invalidArgument`) if it has changed.
  public let reads: [StatePart<State>]?

  let select: @Sendable (State, Value, MemoTable) throws -> Value

  /// Throws if the arguments cannot be decoded.
  let decodeArguments: @Sendable (Value) throws -> Void

  /// A selector without arguments.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - summary: What it returns, in a sentence.
  ///   - output: The shape of the output; by default, derived from its type.
  ///   - reads: See ``reads``.
  ///   - select: Returns the output for a state.
  public init<Output: Encodable & Sendable>(
    _ name: String, _ summary: String, output: Schema? = nil, reads: [StatePart<State>]? = nil,
    _ select: @escaping @Sendable (State) -> Output
  ) {
    self.name = name
    self.summary = summary
    self.arguments = []
    self.output = output ?? Schema(of: Output.self)
    self.reads = reads
    self.select = { state, _, _ in try Value(encoding: select(state)) }
    self.decodeArguments = { _ in }
  }

  /// A selector with arguments: a JSON object of the described shape, decoded to `Arguments`.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - summary: What it returns, in a sentence.
  ///   - arguments: Their schemas; by default, derived from `Arguments`.
  ///   - output: The shape of the output; by default, derived from its type.
  ///   - reads: See ``reads``.
  ///   - select: Returns the output for a state and arguments.
  public init<Arguments: Decodable & Sendable, Output: Encodable & Sendable>(
    _ name: String, _ summary: String, arguments: [Schema.Property]? = nil,
    output: Schema? = nil,
    reads: [StatePart<State>]? = nil,
    _ select: @escaping @Sendable (State, Arguments) -> Output
  ) {
    self.name = name
    self.summary = summary
    self.arguments = arguments ?? Schema.properties(of: Arguments.self)
    self.output = output ?? Schema(of: Output.self)
    self.reads = reads
    self.select = { state, arguments, _ in
      try Value(encoding: select(state, arguments.decode()))
    }
    self.decodeArguments = { _ = try $0.decode(Arguments.self) }
  }

  /// A selector that updates its previous output, when computing it anew takes much longer.
  ///
  /// `select` gets the memo that the last evaluation with the same arguments left in the same
  /// store, or `nil`. It stores in it what the next evaluation needs, such as the part that it read
  /// and the output. The output must depend only on the state and the arguments: the memo may
  /// belong to a later state or be missing. A store retains the memos of the last four different
  /// arguments. If `select` throws, the memo stays as it was.
  ///
  /// Threads may evaluate a selector at the same time, each with its own copy of a memo. So a memo
  /// should be a value that is cheap to copy.
  public init<Arguments: Decodable & Sendable, Memo: Sendable, Output: Encodable & Sendable>(
    _ name: String, _ summary: String, arguments: [Schema.Property]? = nil,
    output: Schema? = nil,
    reads: [StatePart<State>]? = nil,
    _ select: @escaping @Sendable (State, Arguments, inout Memo?) throws -> Output
  ) {
    self.name = name
    self.summary = summary
    self.arguments = arguments ?? Schema.properties(of: Arguments.self)
    self.output = output ?? Schema(of: Output.self)
    self.reads = reads
    self.select = { state, arguments, memos in
      var memo = memos.find(arguments) as? Memo
      let output = try Value(encoding: select(state, arguments.decode(), &memo))
      memos.set(memo, for: arguments)
      return output
    }
    self.decodeArguments = { _ = try $0.decode(Arguments.self) }
  }
}

extension SelectorDescription {
  var json: Value {
    [
      "name": .string(self.name),
      "summary": .string(self.summary),
      "arguments": Schema.object(self.arguments).json,
      "output": self.output.json,
    ]
  }
}
