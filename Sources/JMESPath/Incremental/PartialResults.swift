import ImmutableJSON

/// What the evaluations of one expression keep for the next one, so that it takes time for what has
/// changed in a collection, not for the collection.
///
/// ```swift
/// let results = PartialResults()
/// try expression.evaluate(state, keeping: results)  // O(n)
/// try expression.evaluate(next, keeping: results)   // O(changes * log n)
/// ```
///
/// A projection, a filter and most functions of collections keep their results for the nodes of
/// the collection that they were computed from. The next evaluation computes only those of nodes
/// that are not the same instance. Its result and its cost are those of an evaluation without kept
/// results: if one fails for any reason, it is done again without them.
///
/// Not safe for use by several threads at once.
public final class PartialResults: @unchecked Sendable {
  private var sites: [Int: Kept] = [:]

  /// The number of members or elements from which on results are kept.
  private let minimum: Int

  /// How many elements were evaluated so far; those of small collections are not counted.
  public private(set) var evaluatedElements = 0

  /// How many evaluations in a row found nearly everything changed.
  private var rebuilds = 0
  private var hasRebuilt = false

  /// - Parameter minimum: The number of elements from which on the results for a collection are
  ///   kept.
  public init(minimum: Int = 64) {
    self.minimum = minimum
  }
}

extension PartialResults {
  /// An estimate of the memory, which excludes what the collections themselves take.
  public var bytes: Int {
    self.sites.values.reduce(0) { $0 + $1.bytes }
  }

  /// The collections that the results refer to, each with an estimate of its memory.
  public var collections: [(identity: ObjectIdentifier, bytes: Int)] {
    self.sites.values.compactMap(\.mirror.collection)
  }

  /// Whether the last evaluation kept results, and most evaluations could use those before them.
  public var isUseful: Bool {
    !self.sites.isEmpty && self.rebuilds < 3
  }

  func removeAll() {
    self.sites = [:]
  }

  func begin() {
    self.rebuilds += self.hasRebuilt ? 1 : -self.rebuilds
    self.hasRebuilt = false
  }

  /// Records that nearly everything had changed.
  func countRebuild() {
    self.hasRebuilt = true
  }

  func countElements(_ count: Int) {
    self.evaluatedElements += count
  }

  /// The results of a site. Those of another kind, or for other variables, are replaced.
  private func kept<Results: Kept>(
    at site: Site, _ scope: Scope, _ make: () -> Results
  ) -> Results {
    let locals = site.readsLocals ? scope.locals : []
    if let results = self.sites[site.index] as? Results,
      results.locals.elementsEqual(locals, by: { $0.isIdentical(to: $1) })
    {
      return results
    }
    let results = make()
    results.locals = locals
    self.sites[site.index] = results
    return results
  }
}

/// The results of one site.
class Kept {
  /// The variables that the results were computed with.
  fileprivate(set) var locals: [Value] = []

  /// What the results were computed from.
  final var mirror: TreeMirror

  init(_ mirror: TreeMirror = TreeMirror()) {
    self.mirror = mirror
  }

  var bytes: Int {
    self.mirror.bytes
  }
}

extension ExpressionError {
  /// An evaluation cannot use kept results, and is done without them.
  static var notKept: ExpressionError { ExpressionError(.limit, "", at: 0) }
}

// MARK: Steps

extension PartialResults {
  /// Applies a projection or a filter to a large collection; `nil` for other steps.
  func applying(
    _ step: Node, to input: StepResult, _ scope: Scope
  ) throws(ExpressionError) -> StepResult? {
    guard let (function, site) = ElementFunction.of(step), let site else { return nil }
    let values: ValueSequence? =
      if case .values = step { input.members } else { input.elements }
    guard let values, values.underestimatedCount >= self.minimum else {
      self.sites[site.index] = nil
      return nil
    }
    let list = self.kept(at: site, scope) { KeptList(function) }
    try list.update(to: values, function, scope, self)
    return .elements(.kept(list))
  }

  /// Calls a function of a large collection; `nil` if the call must be evaluated as usual. Then the
  /// arguments have the collection if it was evaluated.
  func call(
    _ arguments: inout Arguments, at site: Site
  ) throws(ExpressionError) -> Value? {
    let (function, scope) = (arguments.call.function, arguments.scope)
    guard let index = function.keptArgument else { return nil }
    let input = try arguments.call.arguments[index].result(arguments.current, scope)
    let values = [.keys, .values].contains(function) ? input.members : input.elements
    guard let values, values.underestimatedCount >= self.minimum else {
      self.sites[site.index] = nil
      arguments.evaluated = (index, try input.value(scope))
      return nil
    }
    if case .elements = input {
      guard values.isWithinLimits else { throw .notKept }
    }
    switch function {
    case .length: return .integer(Int64(values.underestimatedCount))
    case .keys, .map, .reverse, .values:
      let each = ElementFunction(arguments.call)
      let list = self.kept(at: site, scope) { KeptList(each) }
      try list.update(to: values, each, scope, self)
      return try list.array(scope)
    case .sum, .avg:
      let sum = self.kept(at: site, scope) { KeptSum() }
      return try sum.update(to: values, arguments, self)
    case .sort, .sortBy:
      let order = self.kept(at: site, scope) { KeptOrder() }
      return try order.update(to: values, arguments, self)
    case .max, .maxBy, .min, .minBy:
      let extreme = self.kept(at: site, scope) { KeptExtreme() }
      return try extreme.update(to: values, arguments, self)
    default: throw .notKept
    }
  }
}

extension Function {
  /// The index of the argument that is a collection, if results of the function can be kept.
  var keptArgument: Int? {
    switch self {
    case .avg, .keys, .length, .max, .maxBy, .min, .minBy, .reverse, .sort, .sortBy, .sum, .values:
      0
    case .map: 1
    default: nil
    }
  }
}

extension StepResult {
  /// The elements of an array, or of a projection.
  fileprivate var elements: ValueSequence? {
    switch self {
    case .value(.array(let array)): array.values
    case .elements(.all(let values)): values
    case .elements(.kept(let list)): list.values
    default: nil
    }
  }

  /// The values of an object.
  fileprivate var members: ValueSequence? {
    if case .value(.object(let object)) = self { object.values } else { nil }
  }
}
