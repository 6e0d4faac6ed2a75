import ImmutableJSON

/// What an evaluation can see besides the current node: the variables, and what it may still make.
final class Scope {
  /// The names of the expression's free variables, and their values where they were given.
  let names: [String]
  let arguments: [Value?]

  /// The values of the variables that the `let`s around have bound, from the outermost.
  let locals: [Value]

  private let allowance: Allowance

  init(names: [String], values: JSONObject, elements: Int) {
    self.names = names
    self.arguments = names.map { values[$0] }
    self.locals = []
    self.allowance = Allowance(elements)
  }

  private init(_ outer: Scope, locals: [Value]) {
    self.names = outer.names
    self.arguments = outer.arguments
    self.locals = locals
    self.allowance = outer.allowance
  }

  /// The scope inside a `let`.
  func binding(_ values: [Value]) -> Scope {
    Scope(self, locals: self.locals + values)
  }

  func argument(_ index: Int, offset: Int) throws(Fault) -> Value {
    if let value = self.arguments[index] { return value }
    throw .undefined(self.names[index], at: offset)
  }

  /// Takes note of elements that are about to be made.
  ///
  /// An expression multiplies: `[@, @][]` doubles a list each time that it is applied, and a `let`
  /// can pair each record with all.
  func charge(_ count: Int) throws(Fault) {
    try self.allowance.charge(count)
  }
}

/// A count that all scopes of an evaluation share.
private final class Allowance {
  private let limit: Int
  private var left: Int

  init(_ limit: Int) {
    self.limit = limit
    self.left = limit
  }

  func charge(_ count: Int) throws(Fault) {
    guard count <= self.left else {
      throw Fault(
        .limit, "the evaluation makes or compares more than \(self.limit) elements", at: 0)
    }
    self.left -= count
  }
}
