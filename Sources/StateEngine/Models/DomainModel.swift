import ImmutableData
import ImmutableJSON
import Threading

/// The states and actions of a domain.
struct DomainModel<D: Domain, Form: ActionForm<D.Action>>: StateModel {
  typealias State = D.State
  typealias Action = Form.Stored

  let descriptions: [StringKey: SelectorDescription<State>]
  private let decoder: ActionDecoder<D.Action>
  private let optimisticUpdates = D.optimisticUpdates
  private let computesNumbers = D.computesNumbers

  init() {
    self.descriptions = Dictionary(D.selectors.map { (StringKey($0.name), $0) }) { first, _ in first
    }
    self.decoder = ActionDecoder(D.actions, D.actionGroups)
  }

  var description: JSONObject {
    D.description.object
  }

  static func snapshot(of state: State, _ history: SharedHistoryStatus?) -> DomainSnapshot<State> {
    DomainSnapshot(state: state, history)
  }

  static func knownJSON(of state: State) -> Value? {
    nil
  }

  static func state(_ json: Value) throws -> State {
    try json.decode()
  }

  var historyPolicy: HistoryPolicy {
    @Sendable func type(_ commit: AnyCommit) -> Value? {
      let commit: Commit<State, Action> = commit.typed()
      return commit.action.flatMap { try? Form.json(of: $0) }?["type"]
    }
    var policy = HistoryPolicy.comparing(State.self, Action.self)
    policy.haveSameType = { type($0) == type($1) }
    if let refusal = D.undoable.refusal {
      policy.refusal = { commit in
        let commit: Commit<State, Action> = commit.typed()
        return commit.action.flatMap { refusal(Form.action(of: $0)) }
      }
    }
    return policy
  }

  static func json(of action: Action) throws -> Value {
    try Form.json(of: action)
  }

  static func knownJSON(of action: Action) -> Value? {
    Form.knownJSON(of: action)
  }

  func decode(_ action: Value) throws(EngineError) -> Action {
    Form.stored(try self.decoder.action(from: action), json: action)
  }

  func reduce(_ state: inout State, _ action: Action) throws -> AnyObject? {
    state = try self.next(state, action, .reduce)
    return nil
  }

  static func edit(_ state: inout State, _ edits: AnyObject) {
    // The reducer of a domain makes all changes itself.
  }

  @inline(__always)
  func next(
    _ state: State, _ action: Action, _ kind: OptimisticUpdate.ReducerKind
  ) throws -> State {
    #if DEBUG
      let next = try withTrapLine(
        "the reducer of the domain \(quoted(D.name)) trapped in \(quoted(Self.type(of: action)))"
      ) {
        try self.state(after: state, Form.action(of: action), kind)
      }
      try D.check(next, after: state, Self.type(of: action))
      return next
    #else
      let next = try self.state(after: state, Form.action(of: action), kind)
      if self.computesNumbers { try D.check(next, after: state, Self.type(of: action)) }
      return next
    #endif
  }

  @inline(__always)
  private func state(
    after state: State, _ action: D.Action, _ kind: OptimisticUpdate.ReducerKind
  ) throws -> State {
    switch kind {
    case .reduce: try D.reduce(state, action)
    case .anticipate: try (self.optimisticUpdates.anticipate ?? D.reduce)(state, action)
    case .confirm: try (self.optimisticUpdates.confirm ?? D.reduce)(state, action)
    }
  }

  private static func type(of action: Action) -> String {
    (try? Form.json(of: action))?["type"]?.string ?? ""
  }

  func optimisticUpdate(of action: Action, in state: State) -> OptimisticUpdate? {
    self.optimisticUpdates.update?(Form.action(of: action), state)
  }

  func filter(_ name: String, _ arguments: Value) throws(EngineError) -> CommitFilter {
    guard let filter = D.filters.first(where: { $0.name.hasSameBytes(as: name) }) else {
      let names = D.filters.map(\.name)
      let remedy =
        names.isEmpty ? "; the domain \(quoted(D.name)) has none" : suggestion(name, names)
      throw EngineError(
        .invalidArgument, "options/filter: unknown filter \(quoted(name))\(remedy)")
    }
    let passes = try filter.bound(to: arguments)
    return { commit in
      let commit: Commit<State, Action> = commit.typed()
      guard let action = commit.action else { return true }
      return passes(commit.oldState, Form.action(of: action))
    }
  }

  /// Throws: for each action, the state would have to be encoded.
  func requireFilterFunctionSupport() throws(EngineError) {
    let names = D.filters.map { quoted($0.name) }.sorted()
    let remedy =
      names.isEmpty
      ? "\"ignore\" excludes actions by type"
      : "choose one of the domain with the option \"filter\": \(names.joined(separator: ", "))"
    throw EngineError(
      .invalidArgument,
      "a filter function needs a store with your own reducer; \(remedy)")
  }
}

/// A state of a domain. It is encoded once, when it is first read as JSON.
final class DomainSnapshot<State: Encodable & Sendable>: Snapshot {
  let state: State
  let history: SharedHistoryStatus?
  private let encoded = Mutex<Value?>(nil)

  init(state: State, _ history: SharedHistoryStatus?) {
    self.state = state
    self.history = history
  }

  func value() throws -> Value {
    if let value = self.encoded.withLock({ $0 }) { return value }
    // Without the lock: encoding runs code of the domain.
    let value = try Value(encoding: self.state)
    self.encoded.withLock { $0 = value }
    return value
  }
}

extension DomainModel {
  /// ``Domain/check()`` cannot know to which types `makeEffects` decodes the options.
  static func makeEffects(
    _ options: Value, _ fetcher: Fetcher
  ) throws(EngineError) -> (any Effects<D.State, D.Action>)? {
    do {
      return try D.makeEffects(options, fetcher)
    } catch let error as DecodingError {
      let reason = error.reason(in: "options", after: 0)
      guard error.contradicts(.object(D.allOptions), after: 0) else {
        throw EngineError(.invalidArgument, reason)
      }
      throw EngineError(
        .invalidArgument,
        "the domain \(quoted(D.name)): makeEffects does not decode \(reason); correct the "
          + "description of the options or the type")
    } catch {
      throw EngineError(error)
    }
  }

  static func initialState(_ options: Value) throws(EngineError) -> State {
    do {
      return try options["state"]?.decode() ?? D.initialState
    } catch {
      throw EngineError(.invalidArgument, reason(error, in: "options/state"))
    }
  }
}
