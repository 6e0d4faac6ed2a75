import ImmutableJSON

/// Whether and where a store can be inspected, and whether the inspector may change it.
struct InspectOptions: Sendable {
  /// The path of the socket; `nil` for the default of the process.
  var path: String?

  /// Whether an inspector may dispatch, undo, redo and travel.
  var allowsControl = false
}

extension InspectOptions {
  private static var members: [Schema.Property] {
    [
      .init("path", .string, isRequired: false, "The path of the socket."),
      .init("control", .boolean, isRequired: false, "Whether an inspector may change the state."),
    ]
  }

  /// Reads the option `inspect` of a store, which takes precedence over the environment.
  ///
  /// - Returns: `nil` if the store is not inspected.
  static func read(_ option: Value?) throws(EngineError) -> Self? {
    switch option {
    case nil: return Self.isOnByEnvironment ? Self() : nil
    case .bool(let isOn): return isOn ? Self() : nil
    case .object(let members):
      try Schema.object(Self.members).check(.object(members), "options/inspect")
      return Self(path: members["path"]?.string, allowsControl: members["control"]?.bool == true)
    case let option?:
      throw EngineError(
        .invalidArgument,
        "options/inspect: expected true or an object such as {\"control\":true}, not "
          + option.kindWithArticle)
    }
  }

  private static var isOnByEnvironment: Bool {
    guard let value = TraceEnvironment.variable("IMMUTABLEDATA_INSPECT"), value != "0" else {
      return false
    }
    guard value == "1" else {
      TraceOutput.warn("IMMUTABLEDATA_INSPECT: expected 1 or 0, not \(quoted(value))")
      return false
    }
    return true
  }
}

extension Schema.Property {
  /// The option of a store that lets an inspector look into it.
  static var inspect: Schema.Property {
    .init(
      "inspect", .any, isRequired: false,
      "Whether it can be inspected, or an object with \"path\" and \"control\".")
  }
}
