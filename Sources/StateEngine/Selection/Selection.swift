import ImmutableJSON
import JMESPath

/// A selector with its arguments, whose outputs ``Outputs`` keeps.
protocol Selection: Sendable {
  /// What has a reading: the outputs of a reader all rest on the same.
  associatedtype Reader: Hashable & Sendable

  /// What was read of one state.
  associatedtype Reading: AnyObject & Sendable

  associatedtype State

  var reader: Reader { get }
  var arguments: Value { get }

  func output(of state: State) throws(EngineError) -> Value
  func reading(of state: State) -> Reading

  /// Whether a state reads the same.
  func isSame(_ reading: Reading, in state: State) -> Bool
}

/// An expression with its variables.
struct ExpressionSelection: Selection {
  /// Where an expression reads, its arguments may say: then each has a reading of its own.
  struct Reader: Hashable {
    let text: String
    let arguments: JSONObject?
  }

  let expression: Expression
  let variables: JSONObject

  /// What an evaluation may cost. An output that is there already costs nothing, so this does not tell
  /// two selections apart.
  private let budget: WorkBudget

  /// - Throws: If the arguments are no variables of the expression.
  init(
    _ expression: Expression, _ arguments: Value, _ budget: WorkBudget
  ) throws(EngineError) {
    self.expression = expression
    self.budget = budget
    self.variables = try expression.check(arguments)
  }

  var reader: Reader {
    Reader(
      text: self.expression.text,
      arguments: self.expression.pathsDependOnArguments ? self.variables : nil)
  }

  var arguments: Value {
    .object(self.variables)
  }

  func output(of state: Value) throws(EngineError) -> Value {
    try self.expression.output(of: state, self.variables, self.budget)
  }

  func reading(of state: Value) -> ReadSet {
    self.expression.readSet(of: state, with: self.variables)
  }

  func isSame(_ reading: ReadSet, in state: Value) -> Bool {
    reading.isUnchanged(in: state)
  }
}

/// A selector of a domain with its arguments, which are checked with each output that is made.
struct DomainSelection: Selection {
  let reader: String
  let arguments: Value

  func output(of state: any Snapshot) throws(EngineError) -> Value {
    try EngineError.catching { try state.select(self.reader, self.arguments) } ?? .null
  }

  func reading(of state: any Snapshot) -> SnapshotReading {
    state.reading(of: self.reader)
  }

  func isSame(_ reading: SnapshotReading, in state: any Snapshot) -> Bool {
    reading.isSame(in: state)
  }
}
