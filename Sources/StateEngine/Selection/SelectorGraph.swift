import ImmutableJSON
import JMESPath
import struct Synchronization.Atomic
import Threading

/// The selectors of one store by name, and the functions among them with their inputs.
///
/// An input is the selector of that name if there is one when the function is defined, otherwise an
/// expression over the state. So a graph has no cycles, unless a selector is replaced.
final class SelectorGraph: Sendable {
  private struct State {
    var selectors: [StringKey: NamedSelector]
    /// How often a selector was defined.
    var definitions = 0
    var isClosed = false
  }

  private let domainSelectors: [StringKey: DomainSelector]
  private let expressions: ExpressionCache
  let schema: StoreSchema?
  private let state: Mutex<State>

  /// How often a selector was replaced. A selector that was bound before that may be an old one.
  private let replacements = Atomic(0)

  /// - Parameter schema: What the arguments look like; `nil` if the selectors alone decide.
  init(
    _ domainSelectors: [StringKey: DomainSelector], _ expressions: ExpressionCache,
    _ schema: StoreSchema?
  ) {
    self.domainSelectors = domainSelectors
    self.expressions = expressions
    self.schema = schema
    self.state = Mutex(State(selectors: domainSelectors.mapValues { .domain($0) }))
  }
}

extension SelectorGraph {
  /// How often a selector was replaced.
  var generation: Int {
    self.replacements.load(ordering: .acquiring)
  }

  /// The selector with a name.
  func named(_ name: String) -> NamedSelector? {
    self.state.withLock { $0.selectors[StringKey(name)] }
  }

  /// The selectors that are not those of the domain, in ascending order of their names.
  var defined: [(name: String, selector: NamedSelector)] {
    let selectors = self.state.withLock { $0.selectors }
    return selectors.filter { self.domainSelectors[$0.key] == nil }.sorted { $0.key < $1.key }
      .map { ($0.key.text, $0.value) }
  }

  /// Finds a selector by name, and binds it to its arguments.
  ///
  /// - Throws: ``EngineError``: `unknownSelector`; `invalidArgument` if the arguments are not those
  ///   that it takes.
  func bind(
    _ name: String, _ arguments: Value, _ budget: WorkBudget
  ) throws(EngineError) -> BoundSelector {
    guard let selector = self.named(name) else { throw self.unknownSelector(name) }
    try self.schema?.check(arguments, of: name)
    return try selector.bind(arguments, budget)
  }

  /// Binds and evaluates a selector, again if its function was cancelled meanwhile because another
  /// one replaced it.
  func retryIfReplaced<Result>(
    _ evaluate: () throws(EngineError) -> Result
  ) throws(EngineError) -> Result {
    while true {
      let generation = self.generation
      do throws(EngineError) {
        return try evaluate()
      } catch {
        guard error.code == .closed, generation != self.generation else { throw error }
      }
    }
  }

  func unknownSelector(_ name: String) -> EngineError {
    let names = self.state.withLock { $0.selectors.keys.map(\.text) }
    let remedy =
      if let similar = similarNameSuggestion(name, names) {
        similar
      } else if names.isEmpty || name.utf8.contains(where: ".[(|@*{&!`$".utf8.contains) {
        "; query evaluates an expression; to select or observe one, define it as a selector first"
      } else {
        suggestion(name, names)
      }
    return EngineError(.unknownSelector, "unknown selector \(quoted(name))\(remedy)")
  }
}

// MARK: Defining

extension SelectorGraph {
  /// What a definition replaced.
  struct Replacement {
    /// The names of the selector and of those that depend on it.
    let names: Set<StringKey>

    /// The function that it replaced, to be cancelled.
    let function: SelectorFunction?
  }

  /// Defines an expression.
  func define(_ name: String, _ expression: StoreExpression) throws(EngineError) -> Replacement? {
    if case .expression(let defined)? = self.named(name),
      defined.text.hasSameBytes(as: expression.text)
    {
      return nil
    }
    return try self.define(name) { .expression(expression) }
  }

  /// Defines a function, and takes ownership of its context unless this throws.
  ///
  /// - Throws: ``EngineError``: `invalidArgument` if the function would be its own input;
  ///   `invalidSelector` if an input is neither a name nor an expression; `limit`.
  func define(
    _ name: String, _ function: SelectorFunction
  ) throws(EngineError) -> Replacement? {
    try self.define(name) { () throws(EngineError) in
      var inputs: [FunctionSelector.Input] = []
      // Only a selector that is replaced can be an input of others.
      let isReplaced = self.named(name) != nil
      // Those that were searched for it.
      var visited: Set<StringKey> = []
      for text in function.options.allInputs {
        // Its own name is not the selector that it replaces, so that it can be defined again.
        if !text.hasSameBytes(as: name), let selector = self.named(text) {
          if isReplaced { try selector.refuseCycle(of: name, from: text, &visited) }
          inputs.append(.init(name: text, selector: selector))
        } else {
          let expression = try self.expressions.compile(text)
          inputs.append(.init(name: nil, selector: .expression(expression)))
        }
      }
      return .function(try FunctionSelector(name, function, inputs: inputs))
    }
  }

  private func define(
    _ name: String,
    _ makeSelector: () throws(EngineError) -> NamedSelector
  ) throws(EngineError) -> Replacement? {
    let key = StringKey(name)
    guard !name.isEmpty else {
      throw EngineError(.invalidArgument, "the name of a selector must not be empty")
    }
    guard self.domainSelectors[key] == nil else {
      throw EngineError(
        .invalidArgument,
        "the selector \(quoted(name)) of the domain cannot be replaced; choose another name")
    }
    // Without the lock, because it compiles expressions. If another thread has defined a selector
    // meanwhile, it is done again.
    while true {
      let definitions = self.state.withLock { $0.definitions }
      let selector = try makeSelector()
      let old = self.named(name)
      var names: Set<StringKey> = []
      var replaced: [StringKey: NamedSelector] = [:]
      if old != nil {
        replaced = self.state.withLock { $0.selectors }
        replaced[key] = selector
        names = try replaced.replaceInput(key)
      }
      let (isDefined, isClosed) = self.state.withLock { state in
        guard state.definitions == definitions, !state.isClosed else {
          return (false, state.isClosed)
        }
        if case .function(let selector) = selector { selector.function.begin() }
        state.definitions += 1
        if old == nil {
          state.selectors[key] = selector
        } else {
          // What is replaced is destroyed without the lock.
          swap(&state.selectors, &replaced)
          self.replacements.add(1, ordering: .releasing)
        }
        return (true, false)
      }
      guard !isClosed else { throw .closed }
      if isDefined {
        return old.map { Replacement(names: names, function: $0.function) }
      }
    }
  }

  /// Makes outputs of a selector, and of those that depend on it, old although the state is the
  /// same.
  ///
  /// - Returns: The names of these selectors.
  func invalidate(_ name: String) -> Set<StringKey> {
    var selectors = self.state.withLock { $0.selectors }
    self.replacements.add(1, ordering: .releasing)
    // It finds those that depend on it; they stay as they are.
    return (try? selectors.replaceInput(StringKey(name))) ?? [StringKey(name)]
  }

  /// Cancels all functions. No selector can be defined any more.
  func close() {
    let selectors = self.state.withLock { state in
      state.isClosed = true
      return state.selectors
    }
    for selector in selectors.values {
      selector.function?.cancel()
    }
  }
}

extension NamedSelector {
  fileprivate var function: SelectorFunction? {
    if case .function(let selector) = self { selector.function } else { nil }
  }

  /// Throws ``EngineError`` (`invalidArgument`) if a selector is an input of this one, or of one of
  /// its inputs.
  ///
  /// - Parameter text: The name of this selector.
  fileprivate func refuseCycle(
    of name: String, from text: String, _ visited: inout Set<StringKey>
  ) throws(EngineError) {
    guard let path = self.path(to: StringKey(name), from: text, &visited) else { return }
    let cycle = ([name] + path).map(quoted).joined(separator: " needs ")
    throw EngineError(
      .invalidArgument, "the selector would be its own input: \(cycle); nothing was changed")
  }

  /// The recursion is as deep as functions nest.
  private func path(
    to name: StringKey, from text: String, _ visited: inout Set<StringKey>
  ) -> [String]? {
    guard case .function(let selector) = self, visited.insert(StringKey(text)).inserted else {
      return nil
    }
    for input in selector.inputs {
      guard let key = input.name else { continue }
      if StringKey(key) == name { return [text, key] }
      if let path = input.selector.path(to: name, from: key, &visited) { return [text] + path }
    }
    return nil
  }
}

extension [StringKey: NamedSelector] {
  /// Replaces all functions of which a selector is an input, directly or not, by functions with the
  /// present inputs.
  ///
  /// - Returns: The names of these functions, and that of the selector.
  fileprivate mutating func replaceInput(_ name: StringKey) throws(EngineError) -> Set<StringKey> {
    var dependents: [StringKey: [StringKey]] = [:]
    for case (let key, .function(let selector)) in self {
      for name in selector.inputs.compactMap(\.name) {
        dependents[StringKey(name), default: []].append(key)
      }
    }
    // The selector first, and each function after its inputs.
    var order: [StringKey] = []
    var visited: Set<StringKey> = []
    Self.visit(name, dependents, &visited, &order)
    for key in order.reversed().dropFirst() {
      guard case .function(let selector)? = self[key] else { continue }
      let inputs = selector.inputs.map { input in
        guard let name = input.name, let selector = self[StringKey(name)] else { return input }
        return FunctionSelector.Input(name: name, selector: selector)
      }
      self[key] = .function(
        try FunctionSelector(selector.name, selector.function, inputs: inputs))
    }
    return visited
  }

  /// Depth first, each selector after those that depend on it. The recursion is as deep as
  /// functions nest.
  private static func visit(
    _ name: StringKey, _ dependents: [StringKey: [StringKey]], _ visited: inout Set<StringKey>,
    _ order: inout [StringKey]
  ) {
    guard visited.insert(name).inserted else { return }
    for dependent in dependents[name] ?? [] {
      self.visit(dependent, dependents, &visited, &order)
    }
    order.append(name)
  }
}
