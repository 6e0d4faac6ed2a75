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

  /// How many evaluations do without the results of a site after these were of no use. So the time
  /// to make them again is a small part of that of the evaluations.
  private let pause: Int

  /// The rest of the pause of each site.
  private var pauses: [Int: Int] = [:]

  /// Results that are not used any more, and their mirrors. Each evaluation destroys one, so that
  /// none takes much longer than usual.
  private var dropped: [Kept] = []

  /// How many elements were evaluated so far; those of small collections are not counted.
  public private(set) var evaluatedElements = 0

  /// - Parameters:
  ///   - minimum: The number of elements from which on the results for a collection are kept.
  ///   - pause: How many evaluations compute everything after so much had changed that results were
  ///     of no use.
  public init(minimum: Int = 128, pause: Int = 16) {
    self.minimum = minimum
    self.pause = pause
  }
}

extension PartialResults {
  /// An estimate of the memory, which excludes what the collections themselves take.
  public var bytes: Int {
    (self.sites.values + self.dropped).reduce(0) { $0 + $1.bytes }
  }

  /// The collections that the results refer to, each with an estimate of its memory.
  public var collections: [(identity: ObjectIdentifier, bytes: Int)] {
    (self.sites.values + self.dropped).compactMap(\.mirror.collection)
  }

  /// Whether no results are kept.
  public var isEmpty: Bool {
    self.sites.isEmpty && self.dropped.isEmpty
  }

  func begin() {
    _ = self.dropped.popLast()
  }

  func removeAll() {
    (self.sites, self.dropped) = ([:], [])
  }

  private func drop(_ site: Site) {
    guard let results = self.sites.removeValue(forKey: site.index) else { return }
    self.dropped += [results, Kept(results.mirror)]
    results.mirror = TreeMirror()
  }

  func countElements(_ count: Int) {
    self.evaluatedElements += count
  }

  /// Calls `body` with the results of a site, which it updates.
  ///
  /// - Returns: `nil` if the node must be evaluated as usual: if `body` returns `nil`, because too
  ///   much has changed, and for some evaluations after that.
  private func updating<Results: Kept, Output>(
    _ site: Site, _ scope: Scope, _ make: @autoclosure () -> Results,
    _ body: (Results) throws(ExpressionError) -> Output?
  ) throws(ExpressionError) -> Output? {
    let locals = site.readsLocals ? scope.locals : []
    let results: Results
    if let kept = self.sites[site.index] as? Results {
      results = kept
    } else if let pause = self.pauses[site.index], pause > 0 {
      self.pauses[site.index] = pause - 1
      return nil
    } else {
      results = make()
      results.locals = locals
      self.sites[site.index] = results
    }
    if results.locals.elementsEqual(locals, by: { $0.isIdentical(to: $1) }),
      let output = try body(results)
    {
      return output
    }
    self.drop(site)
    self.pauses[site.index] = self.pause
    return nil
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
      self.drop(site)
      return nil
    }
    return try self.updating(site, scope, KeptList(function)) { (list) throws(ExpressionError) in
      try list.update(to: values, function, scope, self) ? .elements(.kept(list)) : nil
    }
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
    if let values, values.underestimatedCount >= self.minimum {
      if case .elements = input {
        guard values.isWithinLimits else { throw .notKept }
      }
      if let result = try self.call(arguments, values, at: site) { return result }
    } else {
      self.drop(site)
    }
    arguments.evaluated = (index, try input.value(scope))
    return nil
  }

  private func call(
    _ arguments: Arguments, _ values: ValueSequence, at site: Site
  ) throws(ExpressionError) -> Value? {
    let scope = arguments.scope
    switch arguments.call.function {
    case .length: return .integer(Int64(values.underestimatedCount))
    case .keys, .map, .reverse, .values:
      let each = ElementFunction(arguments.call)
      return try self.updating(site, scope, KeptList(each)) { (list) throws(ExpressionError) in
        try list.update(to: values, each, scope, self) ? list.array(scope) : nil
      }
    case .sum, .avg:
      return try self.updating(site, scope, KeptSum()) { (sum) throws(ExpressionError) in
        try sum.update(to: values, arguments, self)
      }
    case .sort, .sortBy:
      return try self.updating(site, scope, KeptOrder()) { (order) throws(ExpressionError) in
        try order.update(to: values, arguments, self)
      }
    case .max, .maxBy, .min, .minBy:
      return try self.updating(site, scope, KeptExtreme()) { (extreme) throws(ExpressionError) in
        try extreme.update(to: values, arguments, self)
      }
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
