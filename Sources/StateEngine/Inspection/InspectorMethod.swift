import ImmutableJSON

/// What a client can ask of a store.
enum InspectorMethod: String, CaseIterable {
  case attach, detach, state, select, describe, statistics, history
  case dispatch, undo, redo, travel
}

extension InspectorMethod {
  /// Whether it changes the store.
  var isControl: Bool {
    switch self {
    case .dispatch, .undo, .redo, .travel: true
    default: false
    }
  }

  /// The params that it takes.
  var params: [Schema.Property] {
    let own: [Schema.Property] =
      switch self {
      case .detach, .describe, .statistics: []
      case .attach: [.init("trace", .boolean, isRequired: false, "Whether its trace is sent, too.")]
      case .state: [.init("path", .string, isRequired: false, "A JSON Pointer.")]
      case .select:
        [
          .init("expression", .string, isRequired: false, "An expression."),
          .init("selector", .string, isRequired: false, "The name of a selector."),
          .init("arguments", .any, isRequired: false, "An object."),
        ]
      case .history:
        [
          .init("from", .integer, isRequired: false, "The index of the first entry."),
          .init("count", .integer, isRequired: false, "How many entries at most."),
          .init("actions", .boolean, isRequired: false, "Whether entries have their actions."),
          .init("patches", .boolean, isRequired: false, "Whether entries have their changes."),
        ]
      case .dispatch: [.init("action", .any, "An action.")]
      case .undo, .redo: [.init("steps", .integer, isRequired: false, "How many.")]
      case .travel: [.init("step", .integer, "The number of a step.")]
      }
    return [.init("store", .integer, "The number of the store.")] + own
  }

  /// Asks a store.
  func answer(
    _ params: Value, _ inspected: Inspected, _ store: any InspectedStore,
    _ connection: InspectorConnection, wake: @escaping @Sendable () -> Void
  ) throws(EngineError) -> Value {
    let redaction = inspected.tracer.redaction
    switch self {
    case .attach:
      let start = try connection.attach(inspected, isTraced: params["trace"] == true, wake: wake)
      return ["commit": .integer(Int64(start))]
    case .detach:
      connection.detach(inspected.number)
      return [:]
    case .state:
      let (state, number) = try store.inspectedState()
      let value = try Self.value(in: redaction.apply(to: state), at: params["path"]?.string ?? "")
      return ["commit": .integer(Int64(number)), "value": value]
    case .select: return try Self.select(params, inspected, store)
    case .describe: return try store.description()
    case .statistics: return try store.statistics()
    case .history:
      var options = params.members
      options["store"] = nil
      guard redaction.isEmpty || options["actions"] != true && options["patches"] != true else {
        throw EngineError(
          .invalidArgument, "the store redacts values, so steps have their types only")
      }
      return redaction.apply(toHistory: try store.history(.object(options)))
    case .dispatch:
      try store.dispatch(params["action"] ?? .null)
      return ["commit": Self.commit(inspected)]
    case .undo: return ["steps": .integer(Int64(try store.undo(Self.steps(params))))]
    case .redo: return ["steps": .integer(Int64(try store.redo(Self.steps(params))))]
    case .travel:
      try store.travel(to: Int(clamping: params["step"]?.integer ?? 0))
      return [:]
    }
  }

  private static func commit(_ inspected: Inspected) -> Value {
    .integer(Int64(inspected.tracer.commits?.number ?? 0))
  }

  private static func steps(_ params: Value) -> Int {
    Int(clamping: params["steps"]?.integer ?? 1)
  }

  private static func value(in state: Value, at path: String) throws(EngineError) -> Value {
    do {
      return try state.get(JSONPointer(path))
    } catch {
      throw EngineError(.notFound, "\(error)")
    }
  }

  private static func select(
    _ params: Value, _ inspected: Inspected, _ store: any InspectedStore
  ) throws(EngineError) -> Value {
    let (arguments, redaction) = (params["arguments"] ?? [:], inspected.tracer.redaction)
    switch (params["expression"]?.string, params["selector"]?.string) {
    case (let expression?, nil):
      let (state, number) = try store.inspectedState()
      let value = try store.query(expression, arguments, in: redaction.apply(to: state))
      return ["commit": .integer(Int64(number)), "value": value]
    case (nil, let selector?):
      guard redaction.isEmpty else {
        throw EngineError(
          .invalidArgument, "the store redacts values; evaluate an expression instead")
      }
      let commit = Self.commit(inspected)
      return ["commit": commit, "value": try store.select(selector, arguments, .init())]
    default:
      throw EngineError(.invalidArgument, "name an \"expression\" or a \"selector\"")
    }
  }
}

extension Redaction {
  /// The description of a history, whose steps have the types of actions.
  fileprivate func apply(toHistory history: Value) -> Value {
    guard !self.isEmpty, case .array(let steps)? = history["entries"] else { return history }
    var members = history.members
    members["entries"] = .array(
      JSONArray(
        steps.map { step in
          var step = step.members
          let action = self.apply(to: ["type": step["type"] ?? .null])
          step["type"] = action["type"] ?? Self.mark
          return .object(step)
        }))
    return .object(members)
  }
}

extension Value {
  fileprivate var members: JSONObject {
    if case .object(let members) = self { members } else { JSONObject() }
  }
}
