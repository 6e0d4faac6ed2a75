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
    try self.checkNames("action", self.actions.map(\.type))
    try self.checkNames("selector", self.selectors.map(\.name))
    try self.checkNames("filter", self.filters.map(\.name))
    try self.checkNames("option", self.options.map(\.name))
    try self.checkNames("effect", self.programEffects.map(\.name))
    try self.checkOptions()
    try self.checkState()
    try self.checkActions()
    try self.checkArguments()
    try self.checkEffects()
    ForkLock.shared.excludingForks {
      checkedDomains.withLock { _ = $0.insert(domain) }
    }
  }

  private static func contradiction(_ problem: String) -> EngineError {
    EngineError(.invalidArgument, "the domain \(quoted(self.name)) \(problem)")
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
    } catch {
      throw self.contradiction(
        "has an initialState that its stateSchema does not describe: \(error); correct one of them")
    }
  }

  /// Decodes samples of the arguments of each selector and filter, as ``checkActions()`` does for
  /// payloads.
  private static func checkArguments() throws(EngineError) {
    for selector in self.selectors {
      try self.check(
        selector.arguments, of: "selector", selector.name, selector.decodeArguments)
      try self.checkParts(selector)
    }
    for filter in self.filters {
      try self.check(filter.arguments, of: "filter", filter.name, filter.decodeArguments)
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

  private static func check(
    _ arguments: [Schema.Property], of kind: String, _ name: String,
    _ decode: (Value) throws -> Void
  ) throws(EngineError) {
    let schema = Schema.object(arguments)
    for sample in schema.samples {
      do {
        try decode(sample)
      } catch let error as DecodingError where error.contradicts(schema, after: 0) {
        throw self.contradiction(
          "describes the \(kind) \(quoted(name)), but its function does not decode "
            + "\(error.reason(in: "arguments", after: 0)); correct the description or the type")
      } catch {
        // The type rejects the content of the sample, which the schema does not describe.
      }
    }
  }
}
