import ImmutableJSON
import Threading

/// The domains whose descriptions were checked and are consistent.
private let checkedDomains = Mutex<Set<ObjectIdentifier>>([])

extension Domain {
  /// Throws ``EngineError`` (`invalidArgument`) if the descriptions of a domain contradict its
  /// types or each other.
  ///
  /// Decoding samples takes milliseconds, so a domain is checked once.
  static func check() throws(EngineError) {
    let domain = ObjectIdentifier(self)
    let isChecked = ForkLock.shared.excludingForks {
      checkedDomains.withLock { $0.contains(domain) }
    }
    if isChecked { return }
    try self.checkDerivation()
    try self.checkNames("action", self.actions.map(\.type))
    try self.checkNames("selector", self.selectors.map(\.name))
    try self.checkNames("filter", self.filters.map(\.name))
    try self.checkNames("option", self.options.map(\.name))
    try self.checkNames("effect", self.programEffects.map(\.name))
    try self.checkOptions()
    try self.checkState()
    try self.checkActions()
    try self.checkSamples()
    ForkLock.shared.excludingForks {
      checkedDomains.withLock { _ = $0.insert(domain) }
    }
  }

  static func contradiction(_ problem: String) -> EngineError {
    EngineError(.invalidArgument, "the domain \(quoted(self.name)) \(problem)")
  }

  /// The result of `body`; `nil` if it throws. A value beyond the limits is no contradiction.
  static func unlessFailing<Result>(_ body: () throws -> Result) throws(EngineError) -> Result? {
    do {
      return try body()
    } catch let error as ValueLimitError {
      throw EngineError(error)
    } catch {
      return nil
    }
  }

  /// Throws if a schema cannot be derived.
  private static func checkDerivation() throws(EngineError) {
    func check(_ described: String, _ schemas: [Schema]) throws(EngineError) {
      guard let problem = schemas.lazy.compactMap(\.problem).first else { return }
      throw self.contradiction("has no schema of \(described): \(problem)")
    }
    try check("its state", [self.stateSchema])
    for action in self.actions {
      try check(
        "the action \(quoted(action.type))",
        [action.problem.map(Schema.invalid) ?? .object(action.payload ?? [])])
    }
    for selector in self.selectors {
      try check(
        "the selector \(quoted(selector.name))", [.object(selector.arguments), selector.output])
    }
    for filter in self.filters {
      try check("the filter \(quoted(filter.name))", [.object(filter.arguments)])
    }
    try check("its options", [.object(self.options)])
    for effect in self.programEffects {
      try check(
        "the effect \(quoted(effect.name))", [effect.arguments, effect.result].compactMap(\.self))
    }
  }

  private static func checkNames(_ kind: String, _ names: [String]) throws(EngineError) {
    var known: Set<StringKey> = []
    for name in names {
      guard !name.isEmpty else {
        throw self.contradiction("has an empty \(kind) name; name the \(kind)")
      }
      guard known.insert(StringKey(name)).inserted else {
        let remedy = "remove or rename one"
        throw self.contradiction("describes the \(kind) \(quoted(name)) twice; \(remedy)")
      }
    }
  }

  private static func checkOptions() throws(EngineError) {
    let reserved = ["state", "budget", "optimistic"]
    for option in self.options where reserved.contains(option.name) {
      throw self.contradiction(
        "describes the option \(quoted(option.name)), which the engine defines; rename it")
    }
  }

  private static func checkState() throws(EngineError) {
    do {
      try self.stateSchema.check(Value(encoding: self.initialState), "initialState")
    } catch let error as ValueLimitError {
      throw EngineError(error)
    } catch {
      throw self.contradiction(
        "has an initialState that its stateSchema does not describe: \(error); correct one of them")
    }
  }

  /// Decodes samples of the arguments of each selector and filter, and of the arguments and results
  /// of the effects of the program, as ``checkActions()`` does for payloads.
  private static func checkSamples() throws(EngineError) {
    for selector in self.selectors {
      let described = "selector \(quoted(selector.name)), but its function"
      try self.check(described, "arguments", .object(selector.arguments)) { arguments in
        try selector.decodeArguments(arguments)
        return nil
      }
      try self.checkParts(selector)
    }
    for filter in self.filters {
      let described = "filter \(quoted(filter.name)), but its function"
      try self.check(described, "arguments", .object(filter.arguments)) { arguments in
        try filter.decodeArguments(arguments)
        return nil
      }
    }
    for effect in self.programEffects {
      let described = "effect \(quoted(effect.name)), but its type"
      try self.check(described, "arguments", effect.arguments, effect.recodeArguments)
      try self.check(described, "result", effect.result, effect.recodeResult)
    }
  }

  /// Throws if a selector reads an element that an argument names, but has no such argument.
  private static func checkParts(
    _ selector: SelectorDescription<State>
  ) throws(EngineError) {
    let names = selector.arguments.map(\.name)
    for argument in selector.reads?.compactMap(\.argument) ?? [] where !names.contains(argument) {
      throw self.contradiction(
        "has the selector \(quoted(selector.name)), which reads an element named by the argument "
          + "\(quoted(argument)), but has no such argument\(suggestion(argument, names))")
    }
  }

  /// Throws if a function rejects a sample of a schema because of its shape, or encodes it in
  /// another shape.
  ///
  /// - Parameters:
  ///   - described: What the domain describes, and which part of it has the function.
  ///   - schema: `nil` for null.
  ///   - recode: Decodes the sample. Returns it encoded again; `nil` if it is never encoded.
  private static func check(
    _ described: String, _ subject: String, _ schema: Schema?, _ recode: (Value) throws -> Value?
  ) throws(EngineError) {
    let remedy = "correct the description or the type"
    for sample in schema?.samples ?? [.null] {
      let recoded: Value?
      do {
        recoded = try recode(sample)
      } catch let error as DecodingError where error.contradicts(schema ?? .any, after: 0) {
        let reason = error.reason(in: subject, after: 0)
        throw self.contradiction("describes the \(described) does not decode \(reason); \(remedy)")
      } catch {
        continue  // The type rejects the content of the sample, which the schema does not describe.
      }
      do {
        if let recoded { try schema?.check(recoded, subject) }
      } catch {
        throw self.contradiction(
          "describes the \(described) encodes another shape: \(error); \(remedy)")
      }
    }
  }
}
