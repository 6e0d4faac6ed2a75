import ImmutableData
import ImmutableJSON
import StateLog

/// The state that Redux DevTools export and import.
///
/// ```
/// {"actionsById":{"0":{"type":"PERFORM_ACTION","action":{"type":"@@INIT"},"timestamp":0},…},
///  "computedStates":[{"state":…},…],"currentStateIndex":1,"nextActionId":2,
///  "skippedActionIds":[],"stagedActionIds":[0,1]}
/// ```
struct DevToolsExport {
  private var actions = JSONObject()
  private var states: JSONArray = []
  private var count: Int64 = 0

  /// Adds the state after an entry. That between the actions of a batch is not known: each of them
  /// has the state after the batch.
  ///
  /// - Parameter line: `nil` for the base.
  mutating func add(_ line: LogLine?, _ state: Value) throws {
    guard let line else { return self.add(["type": "@@INIT"], time: 0, state) }
    switch line.kind {
    case .actions:
      for action in try line.value().batchedActions { self.add(action, time: line.time, state) }
    case .jump:
      let jump = try Jump(logged: line.value())
      self.add(jump?.json ?? .null, time: line.time, state)
    case .history, .options, .opened, .closed, .log, .base, .snapshot, .withdrawn, .state: break
    }
  }

  private mutating func add(_ action: Value, time: Int64, _ state: Value) {
    self.actions[String(self.count)] = [
      "type": "PERFORM_ACTION", "action": action, "timestamp": .integer(time),
    ]
    self.states.append(["state": state])
    self.count += 1
  }

  var json: Value {
    [
      "actionsById": .object(self.actions), "computedStates": .array(self.states),
      "currentStateIndex": .integer(self.count - 1), "nextActionId": .integer(self.count),
      "skippedActionIds": [],
      "stagedActionIds": .array(JSONArray((0..<self.count).map(Value.integer))),
    ]
  }
}

/// What an import has: the first state, and the actions after it.
private struct DevToolsImport {
  let base: Value
  var actions: [(action: Value, time: Int64, state: Value?)] = []

  init(_ json: Value) throws(EngineError) {
    guard case .array(let ids)? = json["stagedActionIds"], case .object? = json["actionsById"],
      case .array(let states)? = json["computedStates"], ids.count == states.count,
      let base = states.first?["state"]
    else {
      throw EngineError(
        .invalidArgument,
        "the text is not a state that Redux DevTools have exported: it needs \"actionsById\", "
          + "\"stagedActionIds\", and as many \"computedStates\"")
    }
    self.base = base
    let skipped: JSONArray = if case .array(let ids)? = json["skippedActionIds"] { ids } else { [] }
    let last = json["currentStateIndex"]?.integer ?? Int64(ids.count - 1)
    for (index, (id, state)) in zip(ids, states).enumerated().dropFirst() where index <= last {
      guard !skipped.contains(id) else { continue }
      guard let number = id.integer, let lifted = json["actionsById"]?[String(number)],
        let action = lifted["action"]
      else {
        throw EngineError(.invalidArgument, "\"actionsById\" has no action \(id)")
      }
      if action["type"]?.string?.hasPrefix("@@history/") == true {
        throw EngineError(
          .invalidArgument,
          "action \(index) is an undo, a redo or a travel, which cannot be imported")
      }
      let time = lifted["timestamp"]?.integer ?? 0
      guard (-(1 << 53)...(1 << 53)).contains(time) else {
        throw EngineError(.invalidArgument, "the timestamp of action \(index) is out of range")
      }
      self.actions.append((action, time, state["state"]))
    }
  }
}

extension Log {
  /// Returns a log as a state that Redux DevTools import: all actions since the base, each with the
  /// state after it. Jumps in the history are actions `@@history/…`.
  ///
  /// - Throws: ``EngineError``: `limit` if the result is too large; as opening a store.
  public static func export(
    _ path: String, _ domains: DomainRegistry? = nil, reducer: Reducer? = nil
  ) throws(EngineError) -> Value {
    let store = try Self.open(path, ["readOnly": true], domains, reducer)
    defer { store.close() }
    return try EngineError.catching {
      let json = try store.implementation.exportLog().json
      try json.checkLimits()
      return json
    }
  }

  /// Makes a log of a state that Redux DevTools have exported. All actions up to the current state
  /// are first reduced, and the states compared.
  ///
  /// - Parameters:
  ///   - exported: The state, as JSON.
  ///   - path: Of a file that does not exist.
  ///   - domain: The name of the domain; `nil` for a reducer of the program.
  ///   - domains: Has the domain.
  ///   - reducer: The reducer; `nil` for a log of a domain.
  /// - Throws: ``EngineError``: `invalidArgument` if there is a file, the value is of another
  ///   shape, or a state differs; `invalidAction`, `reducerFailed`. There is then no file.
  public static func `import`(
    _ exported: Value, to path: String, domain: String? = nil, _ domains: DomainRegistry? = nil,
    reducer: Reducer? = nil
  ) throws(EngineError) {
    let content = try DevToolsImport(exported)
    let store: AnyStore
    if let domain {
      guard let domains else { throw EngineError(.unknownDomain, "there are no domains") }
      store = try domains.open(domain, options: ["state": content.base], keepsOptions: true)
    } else if let reducer {
      store = try AnyStore(state: content.base, reducer: reducer)
    } else {
      throw EngineError(.invalidArgument, "pass the reducer, or the name of a domain")
    }
    defer { store.close() }
    for (index, entry) in content.actions.enumerated() {
      do {
        try store.dispatch(entry.action)
      } catch {
        var error = error
        error.message = "action \(index + 1): \(error.message)"
        throw error
      }
      if let expected = entry.state, try store.state() != expected {
        throw EngineError(
          .invalidArgument, "the state after action \(index + 1) differs from that in the text")
      }
    }
    try EngineError.catching {
      guard try LogFile.header(path) == nil else {
        throw EngineError(.invalidArgument, "there is a file \(quoted(path)); name another one")
      }
      var settings = LogSettings()
      (settings.domain, settings.options, settings.engine) = (domain, [:], engineVersion)
      let file = try LogFile.open(path, settings) { () throws(LogError) in
        ["options": [:], "state": content.base]
      }
      do {
        _ = try file.start()
        try file.entries { _ in }
        for (index, entry) in content.actions.enumerated() {
          let data = Value.array([entry.action])
          try data.checkLimits()
          try file.append(.actions, number: index + 1, time: entry.time, data: data.utf8JSON)
        }
        try file.sync()
        file.close()
      } catch {
        file.close()
        try? file.files.remove(path)
        throw error
      }
    }
  }
}
