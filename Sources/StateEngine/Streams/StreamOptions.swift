import ImmutableData
import ImmutableJSON

/// Which actions a stream has, and how many it buffers.
public struct StreamOptions: Sendable {
  /// How many unread actions are buffered at most.
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
    do {
      try Self.schema.check(options, "options")
    } catch {
      throw EngineError(.invalidArgument, "\(error)")
    }
    self.init()
    self.capacity = try options.capacity ?? self.capacity
    self.overflow = OverflowPolicy(options["overflow"]) ?? self.overflow
    self.types = options["types"]?.strings.map(ActionPattern.init) ?? self.types
  }

  func includes(_ action: Value) -> Bool {
    self.types.isEmpty || ActionPattern.any(of: self.types, matches: action)
  }
}
