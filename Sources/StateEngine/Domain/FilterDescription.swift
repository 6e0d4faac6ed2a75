import ImmutableJSON

/// A filter of a domain: its name and arguments, and the function that decides whether an action
/// may change what an observer shows.
///
/// Observers name it in the option `filter`. It is called with the state before the action, for
/// each action that may have changed something that the observer reads. After it has rejected such
/// an action, it is called for every action until one passes. Pure: it must not use a store.
public struct FilterDescription<State: Sendable, Action: Sendable>: Sendable {
  public typealias Filter = @Sendable (_ oldState: State, _ action: Action) -> Bool

  public let name: String

  /// One sentence about the actions that pass.
  public let summary: String

  public let arguments: [Schema.Property]

  private let makeFilter: @Sendable (Value) throws -> Filter

  /// Throws if the arguments cannot be decoded.
  let decodeArguments: @Sendable (Value) throws -> Void

  /// A filter without arguments.
  public init(_ name: String, _ summary: String, _ filter: @escaping Filter) {
    self.name = name
    self.summary = summary
    self.arguments = []
    self.makeFilter = { _ in filter }
    self.decodeArguments = { _ in }
  }

  /// A filter with arguments: a JSON object of the described shape, decoded to `Arguments`. An
  /// observation passes those of its arguments that the filter describes. `makeFilter` returns the
  /// filter for some arguments; it is called once per observation. Without `arguments`, their
  /// schemas are derived from `Arguments`.
  public init<Arguments: Decodable & Sendable>(
    _ name: String, _ summary: String, arguments: [Schema.Property]? = nil,
    _ makeFilter: @escaping @Sendable (Arguments) -> Filter
  ) {
    self.name = name
    self.summary = summary
    self.arguments = arguments ?? Schema.properties(of: Arguments.self)
    self.makeFilter = { makeFilter(try $0.decode()) }
    self.decodeArguments = { _ = try $0.decode(Arguments.self) }
  }
}

extension FilterDescription {
  var json: Value {
    [
      "name": .string(self.name),
      "summary": .string(self.summary),
      "arguments": Schema.object(self.arguments).json,
    ]
  }

  /// The filter with its arguments among those of an observation.
  ///
  /// - Throws: ``EngineError``: `invalidArgument` if they are not as described.
  func bound(to arguments: Value) throws(EngineError) -> Filter {
    let own = arguments.members(named: self.arguments.map(\.name))
    do {
      try self.arguments.check(own, "arguments")
      return try self.makeFilter(own)
    } catch {
      throw EngineError(
        .invalidArgument,
        "options/filter: \(quoted(self.name)): \(reason(error, in: "arguments"))")
    }
  }
}

extension Value {
  /// An object of only the members with these names; a value of another kind as it is.
  func members(named names: some Collection<String>) -> Value {
    guard case .object(let members) = self else { return self }
    return .object(JSONObject(members.filter { names.contains($0.key) }.map { ($0.key, $0.value) }))
  }
}
