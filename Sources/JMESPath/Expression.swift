import ImmutableJSON

/// A JMESPath expression, compiled.
///
/// ```swift
/// let expression = try Expression("orders[?total > $limit].id | sort(@)")
/// try expression.evaluate(state, arguments: ["limit": 100])  // ["A-17","B-3"]
/// expression.paths      // [orders]
/// expression.variables  // ["limit"]
/// ```
///
/// The language is that of [jmespath.org](https://jmespath.org/specification.html), and:
///
/// - `$name` is the argument `name`, or what a `let` has bound;
/// - `let $x = a, $y = b in c` binds variables for `c`
///   ([JEP-18](https://github.com/jmespath/jmespath.jep/blob/main/proposals/0018-lexical-scope.md));
/// - `&a` stands in the arguments of functions only.
///
/// An expression is a value, and may be evaluated on any thread, by many at once.
public struct Expression: Sendable {
  /// The text that was compiled.
  public let text: String

  /// The names of the variables that it has for arguments, without `$`, in ascending order.
  public let variables: [String]

  /// The paths that it can read under, in ascending order, none of which lies under another.
  ///
  /// While nothing at or under a path changes, nor anything that a path leads through, the result
  /// does not either: ``readSet(of:with:)`` checks that. `orders.*.status` has the path `orders`; `a.b | c` has
  /// `a.b.c`; `keys(@)` has the empty one, which is the root.
  public let paths: [Path]

  /// Whether its arguments tell more: ``paths(with:)``.
  public let pathsDependOnArguments: Bool

  /// The keys of ``paths``, made ready.
  let keys: [[ObjectKey]]

  /// The arguments in the order in which the nodes count them.
  private let arguments: [String]

  /// Where each of them first stands, in bytes.
  private let argumentOffsets: [Int]
  private let root: Node

  /// Compiles an expression. O(n).
  ///
  /// - Throws: ``JMESPathError``, for text that is no expression, calls a function that does not
  ///   exist or in a way that never works, or nests deeper than 110.
  public init(_ text: String) throws(JMESPathError) {
    do throws(ExpressionError) {
      var parser = try Parser(text)
      self.root = try parser.parse()
      self.arguments = parser.arguments
      self.argumentOffsets = parser.argumentOffsets
    } catch {
      throw JMESPathError(error, in: text)
    }
    self.text = text
    self.variables = self.arguments.sorted()
    self.paths = self.root.paths(with: self.arguments.map { _ in nil })
    self.keys = self.paths.map(\.objectKeys)
    // If one key makes no difference, what it would tell apart is read anyway, and none does.
    self.pathsDependOnArguments =
      !self.arguments.isEmpty && self.root.paths(with: self.arguments.map { _ in "" }) != self.paths
  }

  /// The paths that it can read under if its variables have these values, of the same form:
  /// `get(orders, $id).total` has the path `orders`, and with `A-17` for `id` `orders.A-17.total`.
  public func paths(with arguments: JSONObject) -> [Path] {
    let keys = self.arguments.map { name -> String? in
      if case .string(let key) = arguments[name] { key } else { nil }
    }
    return self.root.paths(with: keys)
  }

  /// Throws the error of an undefined variable unless each of ``variables`` is among the arguments.
  ///
  /// An evaluation reports it only where it needs the variable, which may depend on the value.
  public func requireVariables(in arguments: JSONObject) throws(JMESPathError) {
    for (name, offset) in zip(self.arguments, self.argumentOffsets) where arguments[name] == nil {
      throw JMESPathError(.undefined(name, at: offset), in: self.text)
    }
  }

  /// What the expression makes of a value.
  ///
  /// - Parameters:
  ///   - arguments: The values of ``variables``. Others may be among them.
  ///   - budget: The work that it may do: an expression multiplies, as `[@, @][]` doubles a list each
  ///     time that it is applied, and a `let` can pair each record with all.
  /// - Throws: ``JMESPathError``, for a function that was given what it does not take, a variable
  ///   that is needed and not there, more work than the budget allows, or a value beyond the limits
  ///   of values.
  public func evaluate(
    _ value: Value, arguments: JSONObject = JSONObject(), budget: WorkBudget = WorkBudget()
  ) throws(JMESPathError) -> Value {
    let scope = Scope(names: self.arguments, values: arguments, budget: budget)
    do throws(ExpressionError) {
      let result = try self.root.evaluateCharged(value, scope)
      try scope.checkText(of: result, madeFrom: value, arguments)
      return result
    } catch {
      throw JMESPathError(error, in: self.text)
    }
  }
}
