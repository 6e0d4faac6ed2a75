import ImmutableJSON

/// The options of one evaluation of a selector.
public struct EvaluationOptions: Sendable {
  /// The budget of the evaluation in units of work; `nil` for the budget of the store.
  public var budget: Int?

  public init(budget: Int? = nil) {
    self.budget = budget
  }
}

extension EvaluationOptions {
  /// Reads options that are a JSON object, or `nil` for none.
  public init(_ options: Value?) throws(EngineError) {
    guard let options else {
      self.init()
      return
    }
    try Schema.object([.budget]).check(options, "options")
    self.init(budget: try options.budgetOption)
  }
}

extension Schema.Property {
  /// The option of a store, a select, a query or an observation that bounds an evaluation.
  static var budget: Schema.Property {
    .init(
      "budget", .integer, isRequired: false,
      "The units of work that evaluating an expression may take.")
  }
}

extension Value {
  /// The member `budget` of an object of options.
  var budgetOption: Int? {
    get throws(EngineError) {
      guard let budget = self["budget"]?.integer else { return nil }
      guard budget > 0 else {
        throw EngineError(.invalidArgument, "options/budget: \(budget) is not 1 or more")
      }
      return Int(budget)
    }
  }
}
