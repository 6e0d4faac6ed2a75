import ImmutableJSON

/// The names of what an observation observes, and the arguments.
struct ObservationSource: Sendable {
  let selector: String
  let dependencies: [String]
  let arguments: Value
  let budget: WorkBudget

  /// Whether one of the selectors has one of these names.
  func names(_ names: Set<StringKey>) -> Bool {
    names.contains(StringKey(self.selector))
      || self.dependencies.contains { names.contains(StringKey($0)) }
  }
}

/// The selectors of an observation, found by their names.
struct ObservationSelectors: Sendable {
  let selector: BoundSelector
  let dependencies: [BoundSelector]

  /// The generation of the graph in which they were found, or an earlier one.
  let generation: Int

  /// Whether the output is the value at the path that triggers an evaluation.
  var isPath: Bool {
    self.dependencies.isEmpty && self.selector.isPath
  }
}

extension SelectorGraph {
  /// Finds the selectors of an observation.
  ///
  /// - Throws: ``EngineError``: `unknownSelector`; `invalidArgument` if the arguments are not those
  ///   that the selectors take.
  func bind(_ source: ObservationSource) throws(EngineError) -> ObservationSelectors {
    let generation = self.generation
    let selector = try self.bind(source.selector, source.arguments, source.budget)
    var dependencies: [BoundSelector] = []
    for name in source.dependencies {
      let dependency = try self.bind(dependency: name, source)
      // The output of a dependency may be an error for this state. Its arguments may not.
      try dependency.checkArguments()
      dependencies.append(dependency)
    }
    return ObservationSelectors(
      selector: selector, dependencies: dependencies, generation: generation)
  }

  /// The same after a selector was replaced. Each that takes other arguments than the one that it
  /// replaced yields an error when it is evaluated.
  func rebind(_ source: ObservationSource) -> ObservationSelectors {
    func bind(_ body: () throws(EngineError) -> BoundSelector) -> BoundSelector {
      do throws(EngineError) {
        return try body()
      } catch {
        return .invalid(error)
      }
    }
    let generation = self.generation
    return ObservationSelectors(
      selector: bind { () throws(EngineError) in
        try self.bind(source.selector, source.arguments, source.budget)
      },
      dependencies: source.dependencies.map { name in
        bind { () throws(EngineError) in try self.bind(dependency: name, source) }
      },
      generation: generation)
  }

  private func bind(
    dependency name: String, _ source: ObservationSource
  ) throws(EngineError) -> BoundSelector {
    guard let selector = self.named(name) else {
      let error = self.unknownSelector(name)
      throw EngineError(error.code, "options/dependencies: \(error.message)")
    }
    return try selector.bind(source.arguments.members(named: selector.argumentNames), source.budget)
  }
}
