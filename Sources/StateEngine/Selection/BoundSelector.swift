import ImmutableJSON
import JMESPath

/// A selector with its arguments. Select, query and observe all evaluate one of these.
/// Indirect, so that a copy retains one object, and valgrind finds no uninitialized bits of an
/// enum.
indirect enum BoundSelector: Sendable {
  /// A selector of the domain. It checks the arguments whenever it is evaluated.
  case domain(DomainSelector, arguments: Value)

  /// An expression with its variables, and the budget of each evaluation.
  case expression(StoreExpression, arguments: JSONObject, WorkBudget)

  /// A function of the program with its inputs.
  case function(FunctionCall)

  /// A selector that an observation can no longer evaluate, because one with other arguments was
  /// defined in its place.
  case invalid(EngineError)

  /// Binds an expression.
  ///
  /// - Throws: ``EngineError``: `invalidArgument` unless `arguments` is an object with exactly the
  ///   variables of the expression.
  init(
    _ expression: StoreExpression, _ arguments: Value, _ budget: WorkBudget
  ) throws(EngineError) {
    let members = try expression.expression.check(arguments)
    self = .expression(expression, arguments: members, budget)
  }
}

extension BoundSelector {
  /// The part of a selector that determines what it reads of a state. Excludes the budget, because
  /// a cached output takes no work.
  struct Key: Hashable {
    enum Kind {
      case domain, expression, function
    }

    let kind: Kind

    /// The name, or the expression.
    let text: StringKey

    /// Present only if they determine what the selector reads.
    let arguments: Value?

    var estimatedMemory: Int {
      self.text.text.utf8.count + (self.arguments?.estimatedMemory ?? 0)
    }
  }

  var key: Key {
    switch self {
    case .domain(let selector, let arguments):
      Key(
        kind: .domain, text: StringKey(selector.name),
        arguments: selector.partsDependOnArguments ? arguments : nil)
    case .expression(let expression, let arguments, _):
      Key(
        kind: .expression, text: StringKey(expression.text),
        arguments: expression.expression.pathsDependOnArguments ? .object(arguments) : nil)
    case .function(let call):
      Key(
        kind: .function, text: StringKey(call.selector.name), arguments: .object(call.arguments))
    case .invalid: Key(kind: .function, text: StringKey(""), arguments: nil)
    }
  }

  /// The selectors of the domain and the expressions whose outputs determine the output.
  var leaves: [BoundSelector] {
    switch self {
    case .domain, .expression: [self]
    case .function(let call): call.leaves
    case .invalid: []
    }
  }

  /// Whether the selector may read the state as JSON.
  var readsJSON: Bool {
    switch self {
    case .domain, .invalid: false
    case .expression: true
    case .function(let call): call.leaves.contains { $0.readsJSON }
    }
  }

  /// Whether the output is always the value at the only path that the selector reads.
  var isPath: Bool {
    switch self {
    case .domain, .function, .invalid: false
    case .expression(let expression, let arguments, let budget):
      expression.expression.isPath(with: arguments, budget: budget)
    }
  }

  var arguments: Value {
    switch self {
    case .domain(_, let arguments): arguments
    case .expression(_, let arguments, _): .object(arguments)
    case .function(let call): .object(call.arguments)
    case .invalid: [:]
    }
  }
}

extension BoundSelector {
  /// Throws ``EngineError`` (`invalidArgument`) if evaluation would fail because of the arguments,
  /// whatever the state.
  func checkArguments() throws(EngineError) {
    switch self {
    case .domain(let selector, let arguments): try selector.check(arguments)
    // Checked when it was bound.
    case .expression, .invalid: break
    case .function(let call):
      for leaf in call.leaves {
        try leaf.checkArguments()
      }
    }
  }

  /// Evaluates the selector.
  func output(for snapshot: any Snapshot) throws(EngineError) -> Value {
    var outputs = FunctionCall.Outputs()
    if case .function(let call) = self { return try call.output(for: snapshot, &outputs) }
    return try self.output(for: snapshot, &outputs)
  }

  /// - Parameter outputs: Outputs of functions for the same state.
  func output(
    for snapshot: any Snapshot, _ outputs: inout FunctionCall.Outputs
  ) throws(EngineError) -> Value {
    switch self {
    case .function(let call): return try outputs.output(of: call, for: snapshot)
    case .invalid(let error): throw error
    case .domain(let selector, let arguments):
      return try selector.output(for: snapshot, arguments)
    case .expression(let expression, let arguments, let budget):
      let state = try EngineError.catching(snapshot.value)
      do {
        // The work limit may have changed since an observation began.
        return try expression.evaluate(
          state, arguments, budget.isDefault ? WorkBudget() : budget)
      } catch {
        throw EngineError(error)
      }
    }
  }

  /// What a selector reads of a state. Retains only that, not the rest of the state.
  struct Reads {
    /// Whether another state is the same wherever the selector reads this one. Also `false` if that
    /// is unknown.
    let isUnchanged: @Sendable (any Snapshot) -> Bool

    /// The value at the only path that an expression reads.
    var onlyValue: Value?
  }

  func reads(of snapshot: any Snapshot) -> Reads {
    switch self {
    case .domain(let selector, let arguments):
      return Reads(isUnchanged: selector.comparison(with: snapshot, arguments))
    case .expression(let expression, let arguments, _):
      guard let state = try? snapshot.value() else { return Reads { _ in false } }
      let readSet = expression.expression.readSet(of: state, with: arguments)
      return Reads(
        isUnchanged: { snapshot in
          guard let state = try? snapshot.value() else { return false }
          return readSet.isUnchanged(in: state)
        }, onlyValue: readSet.onlyValue)
    case .function(let call):
      let reads = call.leaves.map { $0.reads(of: snapshot) }
      return Reads { snapshot in reads.allSatisfy { $0.isUnchanged(snapshot) } }
    case .invalid: return Reads { _ in false }
    }
  }

  #if DEBUG
    /// Throws ``EngineError`` (`invalidArgument`) if an output that is still valid according to the
    /// `reads` of a domain's selector differs from the output for a state.
    func checkReads(_ cached: Value, _ snapshot: any Snapshot) throws(EngineError) {
      guard case .domain(let selector, _) = self, try self.output(for: snapshot) != cached
      else { return }
      throw EngineError(
        .invalidArgument,
        "the output of \(quoted(selector.name)) has changed, but nothing in its `reads` has; add "
          + "what it reads to `reads`, and let its output depend on nothing else")
    }
  #endif
}

extension Expression {
  /// Returns the arguments as an object.
  ///
  /// - Throws: ``EngineError``: `invalidArgument` unless they are exactly the variables of this
  ///   expression.
  func check(_ arguments: Value) throws(EngineError) -> JSONObject {
    guard case .object(let arguments) = arguments else {
      throw EngineError(
        .invalidArgument, "arguments: expected an object, found \(arguments.kindWithArticle)")
    }
    for (name, _) in arguments where !self.variables.contains(name) {
      throw EngineError(
        .invalidArgument,
        "arguments: the expression has no $\(name)\(suggestion(name, self.variables))")
    }
    do {
      try self.requireVariables(in: arguments)
    } catch {
      throw EngineError(error)
    }
    return arguments
  }
}
