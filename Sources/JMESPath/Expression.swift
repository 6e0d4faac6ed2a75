import ImmutableJSON

/// A compiled JMESPath expression.
///
/// ```swift
/// let expression = try Expression("orders[?total > $limit].id | sort(@)")
/// try expression.evaluate(state, arguments: ["limit": 100])  // ["A-17","B-3"]
/// expression.paths      // [orders]
/// expression.variables  // ["limit"]
/// ```
///
/// The language is that of [jmespath.org](https://jmespath.org/specification.html), with these
/// differences:
///
/// - `$name` is the argument `name`, or a variable bound by a `let`
/// - `let $x = a, $y = b in c` binds variables for `c`
///   ([JEP-18](https://github.com/jmespath/jmespath.jep/blob/main/proposals/0018-lexical-scope.md))
/// - `get(a, b)` is the member of `a` whose key, or the element whose index, is the value of `b`;
/// - `&a` is only allowed as a function argument.
///
/// An expression is immutable. Threads may evaluate it concurrently.
public struct Expression: Sendable {
  /// The source text.
  public let text: String

  /// The names of the arguments, without `$`, in ascending order.
  public let variables: [String]

  /// The paths at or under which the expression may read, in ascending order. None lies under
  /// another.
  ///
  /// If neither the values at these paths change nor whether values above them are null, the result
  /// stays the same; see ``readSet(of:with:)``. `orders.*.status` has the path `orders`; `a.b | c`
  /// has `a.b.c`; `keys(@)` has the empty path, which is the root.
  public let paths: [Path]

  /// Whether ``paths(with:)`` can be more precise than ``paths``.
  public let pathsDependOnArguments: Bool

  /// The keys of ``paths``, prepared for lookup.
  let keys: [[ObjectKey]]

  /// The names of the arguments, by their index in the nodes.
  private let arguments: [String]

  /// The byte offset of the first use of each argument.
  private let argumentOffsets: [Int]
  let root: Node

  /// The number of fields in the nodes.
  private let fieldCount: Int

  /// Whether partial results of evaluations can be kept (``PartialResults``).
  public let readsCollections: Bool

  /// Compiles an expression. O(n log n).
  ///
  /// - Throws: ``JMESPathError`` for invalid syntax, an unknown function, a call that can never
  ///   succeed, or nesting deeper than 110 levels.
  public init(_ text: String) throws(JMESPathError) {
    do throws(ExpressionError) {
      var parser = try Parser(text)
      self.root = try parser.parse()
      self.arguments = parser.arguments
      self.argumentOffsets = parser.argumentOffsets
      self.fieldCount = parser.fieldCount
      self.readsCollections = parser.siteCount > 0
    } catch {
      throw JMESPathError(error, in: text)
    }
    self.text = text
    self.variables = self.arguments.sorted()
    self.paths = self.root.paths(with: self.arguments.map { _ in nil })
    self.keys = self.paths.map(\.objectKeys)
    // One sample key suffices. It leaves the paths unchanged only if the expression reads the whole
    // object in any case; then no key changes them.
    self.pathsDependOnArguments =
      !self.arguments.isEmpty && self.root.paths(with: self.arguments.map { _ in "" }) != self.paths
  }

  /// The paths at or under which the expression may read with the given arguments.
  ///
  /// `get(orders, $id).total` has the path `orders`; if `id` is `A-17`, it is `orders.A-17.total`.
  public func paths(with arguments: JSONObject) -> [Path] {
    self.root.paths(with: self.strings(in: arguments))
  }

  /// Whether ``paths(with:)`` has one path, and the result is always the value there, or null if
  /// nothing is there. Then a program that has this value need not evaluate the expression.
  ///
  /// - Parameters:
  ///   - arguments: The values of the variables.
  ///   - budget: The budget of each evaluation. If it may be too small, the result is `false`.
  public func isPath(with arguments: JSONObject, budget: WorkBudget) -> Bool {
    guard let keys = self.root.staticPath(with: self.strings(in: arguments)) else { return false }
    // An upper bound: a unit for each node, and for each 16 bytes of a key. Each node takes at
    // least one byte of the text.
    let work = 2 * self.text.utf8.count + keys.reduce(2) { $0 + $1.utf8.count }
    return work <= budget.remaining && self.paths(with: arguments) == [Path(keys)]
  }

  /// The values of the arguments that are strings, by their index in the nodes; `nil` for others.
  private func strings(in arguments: JSONObject) -> [String?] {
    self.arguments.map { name -> String? in
      if case .string(let key) = arguments[name] { key } else { nil }
    }
  }

  /// Throws ``JMESPathError`` (`undefinedVariable`) unless all ``variables`` are among the
  /// arguments, as evaluation does.
  public func requireVariables(in arguments: JSONObject) throws(JMESPathError) {
    do throws(ExpressionError) {
      _ = try self.values(in: arguments)
    } catch {
      throw JMESPathError(error, in: self.text)
    }
  }

  /// Evaluates the expression on a value, with results that an evaluation on an earlier version of
  /// the value kept.
  ///
  /// - Parameters:
  ///   - value: The value that the expression reads.
  ///   - arguments: The values of ``variables``. Others are ignored.
  ///   - budget: The maximum work.
  ///   - results: Those of this expression and equal arguments. They are updated.
  public func evaluate(
    _ value: Value, arguments: JSONObject = JSONObject(), budget: WorkBudget = WorkBudget(),
    keeping results: PartialResults
  ) throws(JMESPathError) -> Value {
    results.begin()
    do throws(ExpressionError) {
      return try self.result(value, arguments, budget, results)
    } catch {
      results.removeAll()
      return try self.evaluate(value, arguments: arguments, budget: budget)
    }
  }

  /// Evaluates the expression on a value.
  ///
  /// - Parameters:
  ///   - value: The value that the expression reads.
  ///   - arguments: The values of ``variables``. Others are ignored.
  ///   - budget: The maximum work. An expression can multiply its input: `[@, @][]` doubles a list,
  ///     and a `let` can pair each record with every other.
  /// - Throws: ``JMESPathError`` for a missing argument, even if this value does not need it; for a
  ///   function argument of a wrong type, an exceeded budget, or a result beyond the limits of
  ///   values.
  public func evaluate(
    _ value: Value, arguments: JSONObject = JSONObject(), budget: WorkBudget = WorkBudget()
  ) throws(JMESPathError) -> Value {
    do throws(ExpressionError) {
      return try self.result(value, arguments, budget, nil)
    } catch {
      throw JMESPathError(error, in: self.text)
    }
  }

  private func result(
    _ value: Value, _ arguments: JSONObject, _ budget: WorkBudget, _ results: PartialResults?
  ) throws(ExpressionError) -> Value {
    let scope = Scope(
      arguments: try self.values(in: arguments), fieldCount: self.fieldCount, budget: budget,
      keeping: results)
    let result = try self.root.evaluateCharged(value, scope)
    try scope.chargeWriting(of: result, madeFrom: value, arguments)
    return result
  }

  /// The values of the arguments, by their index in the nodes.
  private func values(in arguments: JSONObject) throws(ExpressionError) -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(self.arguments.count)
    for (name, offset) in zip(self.arguments, self.argumentOffsets) {
      guard let value = arguments[name] else { throw .undefined(name, at: offset) }
      values.append(value)
    }
    return values
  }
}
