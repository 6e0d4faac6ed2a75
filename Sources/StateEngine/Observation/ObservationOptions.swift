import ImmutableJSON

/// How and when the outputs of an observation are delivered.
public struct ObservationOptions: Sendable {
  public enum Format: String, Sendable, CaseIterable {
    case value, patch
  }

  public enum Timing: String, Sendable, CaseIterable {
    /// Before the dispatch returns.
    case inline
    /// When the program polls.
    case queued
  }

  /// What happens to an output when the queue is full.
  public enum Overflow: String, Sendable, CaseIterable {
    /// It replaces the oldest.
    case dropOldest
    /// It replaces all queued outputs.
    case coalesce
  }

  /// Whether the current output is delivered when the observation begins.
  public var initial = true

  public var deliver = Format.value
  public var when = Timing.inline

  /// Whether only the latest output is delivered: inline, the one for the state at the time of the
  /// call; queued, the last one waiting.
  public var coalesce = false

  /// The types of actions that cannot affect the output.
  public var ignored: [ActionPattern] = []

  /// The name of a filter of the domain: only actions that pass it can change the output. It gets
  /// those arguments of the observation that it describes.
  public var filter: String?

  /// The names of selectors. The output is evaluated only if the output of one of them has changed.
  public var dependencies: [String] = []

  /// The name of the observation in messages.
  public var label: String?

  /// The maximum number of outputs in the queue.
  public var capacity = 1024
  public var overflow = Overflow.dropOldest

  /// The budget of each evaluation in units of work; `nil` for the budget of the store.
  public var budget: Int?

  public init() {}
}

extension ObservationOptions {
  private static var schema: Schema {
    .object([
      .init("initial", .boolean, isRequired: false, "Whether the current output is delivered."),
      .init(
        "deliver", .oneOf(Format.allNames), isRequired: false, "The output, or the difference."),
      .init(
        "when", .oneOf(Timing.allNames), isRequired: false, "During the dispatch, or in a poll."),
      .init("coalesce", .boolean, isRequired: false, "Whether only the latest output is wanted."),
      .init(
        "ignore", .array(.string), isRequired: false,
        "Action types that cannot affect the output."),
      .init("filter", .string, isRequired: false, "The name of a filter of the domain."),
      .init("dependencies", .array(.string), isRequired: false, "Names of selectors."),
      .init("label", .string, isRequired: false, "The name of the observation in messages."),
      .init("capacity", .integer, isRequired: false, "How many outputs are queued at most."),
      .init("overflow", .oneOf(Overflow.allNames), isRequired: false, "What a full queue drops."),
      .budget,
    ])
  }

  /// Reads options that are a JSON object.
  public init(_ options: Value) throws(EngineError) {
    try Self.schema.check(options, "options")
    self.init()
    self.initial = options["initial"]?.bool ?? self.initial
    self.deliver = Format(options["deliver"]) ?? self.deliver
    self.when = Timing(options["when"]) ?? self.when
    self.coalesce = options["coalesce"]?.bool ?? self.coalesce
    self.ignored = options["ignore"]?.strings.map(ActionPattern.init) ?? self.ignored
    self.filter = options["filter"]?.string
    self.dependencies = options["dependencies"]?.strings ?? self.dependencies
    self.label = options["label"]?.string
    guard self.label != "" else {
      throw EngineError(.invalidArgument, "options/label: it must not be empty")
    }
    self.capacity = try options.capacityOption ?? self.capacity
    self.overflow = Overflow(options["overflow"]) ?? self.overflow
    self.budget = try options.budgetOption
  }
}

extension Schema.Property {
  /// The option of a store that limits how often observers may dispatch in turn.
  static var depth: Schema.Property {
    .init(
      "depth", .integer.limited(["minimum": 1, "maximum": 1_000_000]), isRequired: false,
      "How many dispatches may follow from one, each inside an observer of the one before.")
  }
}
