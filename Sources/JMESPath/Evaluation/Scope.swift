import ImmutableJSON

/// The context of an evaluation: the variables and the remaining budget.
final class Scope {
  /// The values of the arguments, by their index in the nodes.
  let arguments: [Value]

  /// The values of the variables bound by the enclosing `let`s, outermost first.
  ///
  /// One stack suffices for the whole evaluation: `&a` is only evaluated inside the `let`s that
  /// enclose it in the text, so the levels match those of the parser.
  private(set) var locals: [Value] = []

  private var budget: WorkBudget

  /// A lookup for each field, by its index. Empty before the first projection: a single value needs
  /// no lookups.
  private var lookups: [MemberLookup] = []

  private let fieldCount: Int

  /// The results that are kept for the next evaluation; `nil` for none.
  let results: PartialResults?

  init(
    arguments: [Value], fieldCount: Int, budget: WorkBudget, keeping results: PartialResults? = nil
  ) {
    self.results = results
    self.arguments = arguments
    self.fieldCount = fieldCount
    self.budget = budget
  }

  /// Evaluates the body of a `let`.
  func binding<Result>(
    _ values: [Value], _ body: () throws(ExpressionError) -> Result
  ) throws(ExpressionError) -> Result {
    self.locals.append(contentsOf: values)
    defer { self.locals.removeLast(values.count) }
    return try body()
  }

  /// Charges the budget for work about to be done.
  func charge(_ units: Int) throws(ExpressionError) {
    do throws(WorkLimitError) {
      try self.budget.charge(units)
    } catch {
      throw ExpressionError(error)
    }
  }

  /// Calls `body`, and charges what it returns instead of what it charged.
  func charging(_ body: () throws(ExpressionError) -> Int) throws(ExpressionError) {
    let budget = self.budget
    let units = try body()
    self.budget = budget
    try self.charge(units)
  }

  /// The units that `body` charges.
  func units(of body: () throws(ExpressionError) -> Void) throws(ExpressionError) -> Int {
    let remaining = self.remaining
    try body()
    return remaining - self.remaining
  }

  /// The remaining units.
  var remaining: Int {
    self.budget.remaining
  }

  /// Whether two arrays or objects are equal JSON. Charges for the comparison.
  func areEquivalent(_ left: Value, _ right: Value) throws(ExpressionError) -> Bool {
    do throws(WorkLimitError) {
      return try left.isEquivalent(to: right, &self.budget)
    } catch {
      throw ExpressionError(error)
    }
  }
}

// Fields.
extension Scope {
  /// Prepares for fields of many values.
  func prepareLookups() {
    if self.lookups.isEmpty {
      self.lookups = Array(repeating: MemberLookup(), count: self.fieldCount)
    }
  }

  /// The member of a value; null if it does not exist.
  func member(_ field: Node.Field, of value: Value) -> Value {
    guard !self.lookups.isEmpty else { return value[field.key] ?? .null }
    return self.lookups[field.index].member(field.key, of: value) ?? .null
  }

  /// Reads the value at a path in each of some values. Requires lookups.
  func read(_ path: FieldPath, of batch: ValueBatch, _ slots: SlotSet, into column: ValueColumn) {
    guard let first = path.fields.first else { return batch.read(slots, into: column) }
    batch.read(first.key, &self.lookups[first.index], slots, into: column)
    for field in path.fields.dropFirst() {
      column.read(field.key, &self.lookups[field.index], slots)
    }
  }
}

extension ExpressionError {
  /// The error for an exceeded budget.
  init(_ error: WorkLimitError) {
    let remedy = error.isDefault ? "raise the limit, or set \"budget\"" : "or raise \"budget\""
    self.init(.limit, "the evaluation takes \(error); simplify the expression, \(remedy)", at: 0)
  }
}
