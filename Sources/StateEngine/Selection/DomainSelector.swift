import ImmutableJSON
import Threading

/// A selector of a domain in one store, with the type of the state erased.
final class DomainSelector: Sendable {
  let name: String
  let argumentNames: [String]

  private let arguments: [Schema.Property]

  #if DEBUG
    private let described: Schema
  #endif

  /// Whether the arguments determine what the selector reads.
  let partsDependOnArguments: Bool

  private let evaluate: @Sendable (any Snapshot, Value) throws -> Value
  private let compare: @Sendable (any Snapshot, Value) -> @Sendable (any Snapshot) -> Bool

  /// A selector of what a store knows beside its state, without arguments.
  ///
  /// - Parameter isUnchanged: Whether a later output is the same.
  init(
    _ name: String, _ output: Schema, _ evaluate: @escaping @Sendable (any Snapshot) -> Value,
    isUnchanged: @escaping @Sendable () -> Bool
  ) {
    self.name = name
    self.argumentNames = []
    self.arguments = []
    self.partsDependOnArguments = false
    #if DEBUG
      self.described = output
    #endif
    self.evaluate = { snapshot, _ in evaluate(snapshot) }
    self.compare = { _, _ in { _ in isUnchanged() } }
  }

  init<State: Encodable & Sendable>(_ selector: SelectorDescription<State>) {
    self.name = selector.name
    self.argumentNames = selector.arguments.map(\.name)
    self.arguments = selector.arguments
    self.partsDependOnArguments = selector.reads?.contains { $0.argument != nil } == true
    #if DEBUG
      self.described = selector.output
    #endif
    let memos = MemoTable()
    self.evaluate = { snapshot, arguments in
      guard let state = (snapshot as? DomainSnapshot<State>)?.state else { return .null }
      return try selector.select(state, arguments, memos)
    }
    self.compare = { snapshot, arguments in
      guard let state = (snapshot as? DomainSnapshot<State>)?.state,
        let parts = selector.reads?.map({ $0.comparison(state, $0.scope(for: arguments)) })
      else { return { _ in false } }
      return { snapshot in
        guard let state = (snapshot as? DomainSnapshot<State>)?.state else { return false }
        return parts.allSatisfy { $0(state) }
      }
    }
  }
}

extension DomainSelector {
  /// Throws ``EngineError`` (`invalidArgument`) unless the arguments are as described.
  func check(_ arguments: Value) throws(EngineError) {
    do {
      try self.arguments.check(arguments, "arguments")
    } catch {
      throw EngineError(.invalidArgument, "\(quoted(self.name)): \(error)")
    }
  }

  /// Evaluates the selector.
  ///
  /// - Throws: ``EngineError``: `invalidArgument` if the arguments are not as described, or in a
  ///   debug build if the output is not; `limit`.
  func output(for snapshot: any Snapshot, _ arguments: Value) throws(EngineError) -> Value {
    try self.check(arguments)
    let output: Value
    do {
      output = try self.evaluate(snapshot, arguments)
    } catch let error as ValueLimitError {
      throw EngineError(.limit, "\(quoted(self.name)): \(error)")
    } catch {
      throw EngineError(.invalidArgument, "\(quoted(self.name)): \(reason(error, in: "arguments"))")
    }
    #if DEBUG
      try self.check(output: output)
    #endif
    return output
  }

  #if DEBUG
    /// Throws ``EngineError`` (`invalidArgument`) unless the output is as described.
    private func check(output: Value) throws(EngineError) {
      do {
        try self.described.check(output, "output")
      } catch {
        throw EngineError(
          .invalidArgument,
          "the selector \(quoted(self.name)) returned another shape than its `output` describes: "
            + "\(error); correct the description or the selector")
      }
    }
  #endif

  /// Returns a function: whether another state is the same wherever the selector reads this one.
  /// Also `false` if the selector does not declare what it reads.
  func comparison(
    with snapshot: any Snapshot, _ arguments: Value
  ) -> @Sendable (any Snapshot) -> Bool {
    self.compare(snapshot, arguments)
  }
}
