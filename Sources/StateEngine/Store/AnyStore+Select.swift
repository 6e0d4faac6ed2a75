import ImmutableData
import ImmutableJSON
import JMESPath

extension AnyStore {
  /// Returns the output of a selector for the current state.
  ///
  /// - Parameters:
  ///   - selector: The name of a selector of the domain, or of one defined with ``define(_:_:)``.
  ///   - arguments: An object of the shape that the selector describes, or with the variables of
  ///     its expression.
  ///   - options: The budget.
  public func select(
    _ selector: String, _ arguments: Value = [:], _ options: EvaluationOptions = .init()
  ) throws(EngineError) -> Value {
    try withUnsafePointer(to: arguments) { (arguments) throws(EngineError) in
      try self.withCall(of: selector, .init(arguments), options) { try self.output(of: $0).value }
    }
  }

  /// Returns the output of a selector as canonical JSON text.
  ///
  /// - Parameters:
  ///   - selector: The name of a selector.
  ///   - arguments: JSON text of an object, or `nil` for none.
  public func select(
    _ selector: String, argumentsJSON arguments: UnsafeRawBufferPointer?
  ) throws(EngineError) -> Text {
    try self.withCall(of: selector, .init(arguments), isWriting: true) {
      try self.output(of: $0).text
    }
  }

  /// Returns the output of a JMESPath expression for the current state.
  ///
  /// - Parameters:
  ///   - expression: An expression without a name.
  ///   - arguments: An object with the variables of the expression.
  ///   - options: The budget.
  public func query(
    _ expression: String, _ arguments: Value = [:], _ options: EvaluationOptions = .init()
  ) throws(EngineError) -> Value {
    try withUnsafePointer(to: arguments) { (arguments) throws(EngineError) in
      try self.withCall(of: expression, isExpression: true, .init(arguments), options) {
        try self.output(of: $0).value
      }
    }
  }

  /// Returns the output of a JMESPath expression as canonical JSON text.
  ///
  /// - Parameters:
  ///   - expression: An expression without a name.
  ///   - arguments: JSON text of an object, or `nil` for none.
  public func query(
    _ expression: String, argumentsJSON arguments: UnsafeRawBufferPointer?
  ) throws(EngineError) -> Text {
    try self.withCall(of: expression, isExpression: true, .init(arguments), isWriting: true) {
      try self.output(of: $0).text
    }
  }

  /// Returns statistics of the store as an object of counts:
  ///
  /// - `selects` that returned an output, and the `evaluations` that they required.
  /// - `observations`; `visits`: how often a change may have affected an observation, including
  ///   those that were ignored or had unchanged dependencies; and `deliveries`.
  /// - `overruns`: the actions that streams accepted beyond their capacity.
  /// - If evaluations of expressions have kept results: `incremental`, an object of counts.
  /// - If it can have optimistic updates: `optimisticUpdates`, those in flight.
  /// - If the domain has effects, or the store a rule: `effects` that started, `effectsInFlight`,
  ///   `failedEffects`, and the counters of the domain's effects (``Effects/statistics``).
  /// - If the domain has effects: `requestsInFlight`.
  /// - If it has a log: `log`, an object of counts.
  public func statistics() throws(EngineError) -> Value {
    try self.enter(.use, evenIfClosed: true)
    let (selects, evaluations) = self.outputs.counts
    return .object(
      JSONObject(
        [("selects", .integer(Int64(selects))), ("evaluations", .integer(Int64(evaluations)))]
          + self.observations.statistics
          + [("overruns", .integer(Int64(self.commits.overruns)))]
          + self.expressions.results.statistics
          + Self.count("optimisticUpdates", self.implementation.optimisticCount)
          + (self.effects?.statistics ?? []) + (self.rules?.statistics ?? [])
          + Self.count("requestsInFlight", self.domainEffects.map { _ in self.fetcher.count })
          + self.logStatistics))
  }

  private static func count(_ name: String, _ count: Int?) -> [(String, Value)] {
    count.map { [(name, .integer(Int64($0)))] } ?? []
  }
}

extension AnyStore {
  /// Returns the output of a call for the current state. A call that was made recently takes no
  /// parsing. The caller has checked re-entrancy.
  package func output(of call: SelectCall) throws(EngineError) -> CachedOutput {
    let (version, generation) = (self.commits.number, self.graph.generation)
    return switch self.outputs.find(call, version: version, generation: generation) {
    case .output(let output)?: output
    case .found(let found)?: try self.output(of: call, found, version)
    case .copy?, nil: try self.output(of: call, nil, version)
    }
  }

  /// The same as text for a C program. A short one is a copy: all threads that select it would
  /// count the references of one object.
  package func ownedText(of call: SelectCall) throws(EngineError) -> OwnedText {
    let (version, generation) = (self.commits.number, self.graph.generation)
    return switch self.outputs.find(call, version: version, generation: generation, copies: true) {
    case .copy(let text)?: text
    case .output(let output)?: output.text.owned
    case .found(let found)?: try self.output(of: call, found, version).text.owned
    case nil: try self.output(of: call, nil, version).text.owned
    }
  }

  // Not inlined: it would make the path above longer.
  @inline(never)
  private func output(
    of call: SelectCall, _ found: OutputCache.Found?, _ version: Int
  ) throws(EngineError) -> CachedOutput {
    var found = found
    return try self.graph.retryIfReplaced { () throws(EngineError) in
      let generation = self.graph.generation
      let known = found.take()
      let found =
        if let known { known } else {
          self.outputs.find(try self.bind(call), version: version, generation: generation)
        }
      return try self.outputs.output(of: call, found, version: version) {
        () throws(EngineError) in
        self.implementation.snapshot().state
      }
    }
  }

  private func bind(_ call: SelectCall) throws(EngineError) -> BoundSelector {
    let text = try String(name: call.text, call.isExpression ? "expression" : "selector")
    let budget = self.workBudget(call.budget)
    guard call.isExpression else {
      return try self.graph.bind(text, call.arguments.read(), budget)
    }
    return try BoundSelector(self.expressions.compile(text), call.arguments.read(), budget)
  }

  private func withCall<Result>(
    of text: String, isExpression: Bool = false, _ arguments: SelectCall.Arguments,
    _ options: EvaluationOptions = .init(), isWriting: Bool = false,
    _ body: (SelectCall) throws -> Result
  ) throws(EngineError) -> Result {
    try self.enter(.select, evenIfClosed: true)
    var text = text
    return try EngineError.catching {
      try text.withUTF8 { text in
        try body(
          SelectCall(
            UnsafeRawBufferPointer(text), isExpression: isExpression, arguments,
            isWriting: isWriting, budget: options.budget))
      }
    }
  }
}

extension AnyStore {
  /// What is probably a mistake in an expression, because it can only be empty for the current
  /// state: the members that nothing in the state has, and text compared by `<` or `>`.
  ///
  /// - Returns: A sentence for each; empty if there is none.
  public func mistakes(in expression: String) throws(EngineError) -> [String] {
    let compiled = try self.expressions.compile(expression).expression
    let state = try self.state()
    let mistakes = compiled.mistakes(in: state)
    guard !mistakes.isEmpty else { return [] }
    let selectors = compiled.paths.compactMap(\.keys.first).filter {
      self.graph.named($0) != nil && state[$0] == nil
    }
    return mistakes
      + Set(selectors).sorted().map {
        "\(quoted($0)) is a selector, but an expression reads only the state: define a function "
          + "that has it as an input"
      }
  }
}
