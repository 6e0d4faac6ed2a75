/// The meaning of an action for optimistic updates: changes that are shown before their effects
/// have succeeded.
///
/// A key identifies a change, so that the outcome of its effect can end it. If several changes have
/// the same key, an outcome ends the oldest.
public enum OptimisticUpdate: Hashable, Sendable {
  /// The action begins a change; its effect is in flight from now on.
  case begins(String)

  /// The effect succeeded: the change stays.
  case succeeds(String)

  /// The effect failed: the change is rolled back. Later actions are reduced again without it;
  /// those that the reducer then rejects are dropped.
  case fails(String)
}

extension OptimisticUpdate {
  /// Which function of a domain reduces an action.
  package enum ReducerKind: Hashable, Sendable {
    case reduce, anticipate, confirm
  }

  fileprivate var reducerKind: ReducerKind {
    switch self {
    case .begins: .anticipate
    case .succeeds: .confirm
    case .fails: .reduce
    }
  }
}

/// An outcome that the reducer rejected. It ends its change all the same: the effect has happened,
/// and nothing else would end the change. So the end of the change is committed without the
/// outcome, and then the dispatch throws this.
package struct RejectedOutcome: Error {
  package let outcome: OptimisticUpdate

  /// The error that the reducer threw.
  package let underlying: any Error
}

/// A change that cannot be rolled back, because the reducer exceeds a limit when it reduces a later
/// action again. The change stays in flight.
package struct FailedRollBack: Error {
  /// The key of the change, or of the oldest of several.
  package let key: String

  /// The error that the reducer threw.
  package let underlying: any Error
}

/// A reducer that shows changes while their effects are in flight.
///
/// The outcome of a success is reduced on the shown state. The outcome of a failure is reduced on
/// the state without the action that began the change: later actions are reduced again, and those
/// that now fail are dropped.
package struct OptimisticReducer<State: Sendable, Action: Sendable>: Sendable {
  /// The meaning of an action for the changes in flight. Receives the state before the action.
  let update: @Sendable (Action, State) throws -> OptimisticUpdate?

  let reduce: @Sendable (State, Action, OptimisticUpdate.ReducerKind) throws -> State

  package init(
    update: @escaping @Sendable (Action, State) throws -> OptimisticUpdate?,
    reduce: @escaping @Sendable (State, Action, OptimisticUpdate.ReducerKind) throws -> State
  ) {
    self.update = update
    self.reduce = reduce
  }
}

extension OptimisticReducer {
  /// A state with the changes in flight.
  struct Reduction {
    var state: State
    var inFlight: AnyObject?
    var rejection: RejectedOutcome?
    /// What the action rolled back.
    var rollBack: RollBack?
  }

  /// Changes that were rolled back at once: a later action is reduced again without all of them.
  final class RollBack {
    /// The number of the commit that began the oldest.
    let start: Int
    /// The numbers of the commits that began them.
    private let changes: Set<Int>
    private let key: String
    private let replay = ReducedStates<State>()
    /// The states without the changes, by the changes in flight that had one of them.
    fileprivate var known: [ObjectIdentifier: (state: State, inFlight: AnyObject?)] = [:]

    /// - Parameter key: That of the oldest.
    init(_ changes: Set<Int>, key: String) {
      self.start = changes.min() ?? 0
      self.changes = changes
      self.key = key
    }

    /// Removes the changes from those in flight in a state.
    ///
    /// - Returns: The state without the changes; `nil` if none of them is in flight.
    /// - Throws: ``FailedRollBack``, ``ReducerInterruption``
    func remove(
      from inFlight: inout InFlight<State, Action>, _ reduce: InFlight<State, Action>.Reduce
    ) throws -> State? {
      try self.catchingLimits { try inFlight.remove(self.changes, self.replay, reduce) }
    }

    /// Reduces a later action again, unless it began one of the changes.
    ///
    /// - Returns: The state after it, or the same one if the reducer now rejects it.
    /// - Throws: ``FailedRollBack``, ``ReducerInterruption``
    func append(
      _ step: InFlight<State, Action>.Item, to changes: inout InFlight<State, Action>,
      _ state: State, _ reduce: InFlight<State, Action>.Reduce
    ) throws -> State {
      if step.key != nil, self.changes.contains(step.number) { return state }
      return try self.catchingLimits {
        try changes.replay([step], from: state, self.replay, reduce)
      }
    }

    private func catchingLimits<Result>(_ body: () throws -> Result) throws -> Result {
      do {
        return try body()
      } catch let interruption as ReducerInterruption where interruption.isLimit {
        throw FailedRollBack(key: self.key, underlying: interruption.underlying)
      }
    }

    /// Whether the action of a commit was removed with the changes.
    func removes(_ number: Int) -> Bool {
      self.changes.contains(number) || self.replay.rejected.contains(number)
    }
  }

  /// - Parameters:
  ///   - inFlight: The changes in flight, as returned by the last call.
  ///   - number: The number of the commit that the action will have.
  ///   - writer: That of a shared log which dispatches it; else 0.
  func reduce(
    _ state: State, _ inFlight: AnyObject?, _ action: Action, number: Int, by writer: Int
  ) throws -> Reduction {
    var changes = Self.content(of: inFlight)
    var state = state
    var rollBack: RollBack?
    let update = try self.update(action, state)
    let kind = update?.reducerKind ?? .reduce
    var key: ChangeKey?
    var ended: OptimisticUpdate?
    switch update {
    case .begins(let begun): key = ChangeKey(begun, by: writer)
    case .succeeds(let key): ended = changes.confirm(ChangeKey(key, by: writer)) ? update : nil
    case .fails(let key):
      guard let change = changes.oldestChange(ChangeKey(key, by: writer)) else { break }
      let removed = RollBack([change], key: key)
      state = try removed.remove(from: &changes, self.reduce) ?? state
      (rollBack, ended) = (removed, update)
    case nil: break
    }
    let next: State
    do {
      next = try self.reduce(state, action, kind)
    } catch {
      let isRejection = (error as? ReducerInterruption)?.isLimit ?? true
      guard let ended, isRejection else { throw error }
      return Reduction(
        state: state, inFlight: Box(changes),
        rejection: RejectedOutcome(outcome: ended, underlying: error), rollBack: rollBack)
    }
    changes.append(
      .init(number: number, state: state, action: action, reducerKind: kind, key: key))
    return Reduction(state: next, inFlight: Box(changes), rollBack: rollBack)
  }

  /// The state without the changes in flight; `nil` if there are none.
  func confirmedState(_ inFlight: AnyObject?) throws -> State? {
    try (inFlight as? Box)?.content.confirmedState(self.reduce)
  }

  /// The number of changes in flight.
  func changeCount(in inFlight: AnyObject?) -> Int {
    Self.content(of: inFlight).changeCount
  }

  /// The changes in flight after a jump: those of an earlier or later state that still are.
  func inFlight(_ inFlight: AnyObject?, after current: AnyObject?) -> AnyObject? {
    var changes = Self.content(of: inFlight)
    changes.confirm(allBut: Self.content(of: current))
    return Box(changes)
  }

  /// An earlier or later state without changes that were rolled back, and its changes in flight.
  /// O(log n) if it is the state after one action, and the state before it is known.
  ///
  /// - Parameter old: The changes in flight before the last action.
  /// - Returns: `nil` if none of the changes is in flight in this state.
  /// - Throws: ``FailedRollBack``, ``ReducerInterruption``
  func state(
    without rollBack: RollBack, _ inFlight: AnyObject?, after old: AnyObject? = nil
  ) throws -> (state: State, inFlight: AnyObject?)? {
    guard let box = inFlight as? Box else { return nil }
    if let known = rollBack.known[ObjectIdentifier(box)] { return known }
    var changes: InFlight<State, Action>
    let state: State
    if let old = old as? Box, let known = rollBack.known[ObjectIdentifier(old)],
      let step = box.content.step(after: old.content)
    {
      changes = Self.content(of: known.inFlight)
      state = try rollBack.append(step, to: &changes, known.state, self.reduce)
    } else {
      changes = box.content
      guard let removed = try rollBack.remove(from: &changes, self.reduce) else { return nil }
      state = removed
    }
    let result = (state, Box(changes) as AnyObject?)
    rollBack.known[ObjectIdentifier(box)] = result
    return result
  }

  /// To roll back the changes in flight of some writers of a shared log; `nil` if there are none.
  ///
  /// - Parameter writers: `nil` for all.
  func rollBack(in inFlight: AnyObject?, of writers: Set<Int>?) -> RollBack? {
    Self.content(of: inFlight).changes(of: writers).map { RollBack($0.commits, key: $0.oldestKey) }
  }

  /// The writers of a shared log whose changes are in flight.
  func writers(in inFlight: AnyObject?) -> Set<Int> {
    Self.content(of: inFlight).writers
  }

  private static func content(of inFlight: AnyObject?) -> InFlight<State, Action> {
    (inFlight as? Box)?.content ?? InFlight()
  }

  /// Changes in flight behind one reference; `nil` if there are none.
  private final class Box: Sendable {
    let content: InFlight<State, Action>

    init?(_ content: InFlight<State, Action>) {
      guard !content.isEmpty else { return nil }
      self.content = content
    }
  }
}
