import ImmutableJSON

/// How an observation is to be delivered, and when.
public struct ObservationOptions: Sendable {
  public enum Form: String, Sendable, CaseIterable {
    case value, patch
  }

  public enum Moment: String, Sendable, CaseIterable {
    /// Before the dispatch returns.
    case inline
    /// When the host polls.
    case queued
  }

  /// What happens to a queued output that finds no room.
  public enum Overflow: String, Sendable, CaseIterable {
    /// It takes the place of the oldest.
    case dropOldest
    /// It takes the place of all that wait.
    case coalesce
  }

  /// Whether the current output is delivered at once.
  public var initial = true

  public var deliver = Form.value
  public var when = Moment.inline

  /// Whether only the latest output is wanted: the one for the state at the time of the delivery.
  public var coalesce = false

  /// The types of actions that cannot concern it.
  public var filter: [ActionPattern] = []

  /// The names of selectors, for one of which to change before the output is computed.
  public var dependencies: [String] = []

  /// What messages call it.
  public var label: String?

  /// How many outputs wait to be polled at most.
  public var capacity = 1024
  public var overflow = Overflow.dropOldest

  /// The units of work that each evaluation may do; without any, those of the store.
  public var budget: Int?

  public init() {}
}

extension ObservationOptions {
  private static var schema: Schema {
    .object([
      .init("initial", .boolean, isRequired: false, "Whether the current output is delivered."),
      .init("deliver", .oneOf(Form.allNames), isRequired: false, "The output, or the difference."),
      .init("when", .oneOf(Moment.allNames), isRequired: false, "In the dispatch, or in a poll."),
      .init("coalesce", .boolean, isRequired: false, "Whether only the latest output is wanted."),
      .init("filter", .array(.string), isRequired: false, "Action types that cannot concern it."),
      .init("dependencies", .array(.string), isRequired: false, "Names of selectors."),
      .init("label", .string, isRequired: false, "What messages call it."),
      .init("capacity", .integer, isRequired: false, "How many outputs wait at most."),
      .init("overflow", .oneOf(Overflow.allNames), isRequired: false, "What gives way."),
      .budget,
    ])
  }

  /// Reads options that are a JSON object.
  public init(_ options: Value) throws(EngineError) {
    do {
      try Self.schema.check(options, "options")
    } catch {
      throw EngineError(.invalidArgument, "\(error)")
    }
    self.init()
    self.initial = options["initial"]?.bool ?? self.initial
    self.deliver = Form(options["deliver"]) ?? self.deliver
    self.when = Moment(options["when"]) ?? self.when
    self.coalesce = options["coalesce"]?.bool ?? self.coalesce
    self.filter = options["filter"]?.strings.map(ActionPattern.init) ?? self.filter
    self.dependencies = options["dependencies"]?.strings ?? self.dependencies
    self.label = options["label"]?.string
    guard self.label != "" else {
      throw EngineError(.invalidArgument, "options/label: it must not be empty")
    }
    self.capacity = try options.capacity ?? self.capacity
    self.overflow = Overflow(options["overflow"]) ?? self.overflow
    self.budget = try options.budget
  }
}
