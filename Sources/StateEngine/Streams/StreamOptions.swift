import ImmutableData
import ImmutableJSON

/// The options of a stream: which actions it contains, and how many it buffers.
public struct StreamOptions: Sendable {
  /// The maximum number of unread actions in the buffer.
  public var capacity = 1024

  /// What happens to an action when the buffer is full.
  public var overflow = OverflowPolicy.fail

  /// The types of actions in the stream; empty for all.
  public var types: [ActionPattern] = []

  public init() {}
}

extension StreamOptions {
  private static var schema: Schema {
    .object([
      .init("capacity", .integer, isRequired: false, "How many actions are buffered at most."),
      .init(
        "overflow", .oneOf(OverflowPolicy.allNames), isRequired: false, "What a full buffer does."),
      .init("types", .array(.string), isRequired: false, "The types of actions in the stream."),
    ])
  }

  /// Reads options that are a JSON object.
  public init(_ options: Value) throws(EngineError) {
    try Self.schema.check(options: options)
    self.init()
    self.capacity = try options.capacityOption ?? self.capacity
    self.overflow = OverflowPolicy(options["overflow"]) ?? self.overflow
    self.types = options["types"]?.strings.map(ActionPattern.init) ?? self.types
  }

  func includes(_ action: Value) -> Bool {
    self.types.isEmpty || ActionPattern.any(of: self.types, matches: action)
  }
}
