import Threading

/// One state, which only its reducer may replace.
///
/// ```swift
/// let store = Store<Int, Int>(initialState: 0) { state, action in state + action }
/// try store.dispatch(action: 2)
/// store.state  // 2
/// ```
///
/// A store may be used from any thread. Dispatches are serialized; reads never wait for a reducer.
/// If the reducer throws, the state stays as it was. The reducer must be pure: if it dispatches to
/// any store, or uses its own store at all, the dispatch fails with ``ReentrancyError``.
///
/// It has two locks. A dispatch takes the dispatch lock, and then the lock of the commits.
public final class Store<State, Action>: @unchecked Sendable
where State: Sendable, Action: Sendable {
  let reduce: EditingReducer<State, Action>
  /// Makes edits that the reducer has returned.
  let edit: @Sendable (_ state: inout State, _ edits: AnyObject) -> Void
  /// `nil` without optimistic updates.
  let optimistic: OptimisticReducer<State, Action>?
  package let commits: CommitSequence

  // Stored, because generic code looks up a type at run time for each use.
  let commitType = ActionCommit<State, Action>.self
  let inPlaceType = InPlaceCommit<State, Action>.self
  let stateCommitType = StateCommit<State, Action>.self

  /// Whether it has optimistic updates. Not a use of `optimistic`, whose type generic code would
  /// look up in each dispatch.
  let isOptimistic: Bool

  /// Held for a whole dispatch, including the reducer.
  let dispatchLock = Lock()

  /// Those that wait for a log that a driver keeps.
  let waiting = WaitingDispatches<Action>()

  // Guarded by the lock of the commits, which is held for a few instructions at a time, so that
  // readers never wait for a reducer. Replaced only while the dispatch lock is held, too, and while
  // nobody reads.

  var current: State
  /// An ``InFlight``, or `nil` while nothing is in flight. Not of that type, which generic code
  /// would look up in each dispatch.
  var inFlight: AnyObject?

  /// Creates a store.
  ///
  /// - Parameters:
  ///   - state: The state before the first action.
  ///   - history: Which actions can be undone, and how many; `nil` for none.
  ///   - depth: How many dispatches may follow from one, each in a subscriber of the one before;
  ///     the next one throws ``CausalDepthError``. A number beyond 1 to 1,000,000 counts as the
  ///     nearest of these.
  ///   - reducer: Turns a state and an action into the next state, or throws.
  public convenience init(
    initialState state: State, history: HistoryOptions<Action>? = nil, depth: Int = 1000,
    reducer: @escaping Reducer<State, Action>
  ) {
    self.init(initialState: state, history: history?.policy(State.self)) { state, action in
      state = try reducer(state, action)
      return nil
    }
    self.commits.depthLimit = min(max(depth, 1), 1_000_000)
  }

  /// - Parameter edit: Makes edits that the reducer has returned. Called with the locks held: it
  ///   must run no code of the program, and destroy nothing large.
  package init(
    initialState state: State, history: HistoryPolicy?, log: (any CommitLog)? = nil,
    clock: StoreClock = .system,
    edit: @escaping @Sendable (_ state: inout State, _ edits: AnyObject) -> Void = { _, _ in },
    reduce: @escaping EditingReducer<State, Action>
  ) {
    self.commits = CommitSequence(history: history, log: log, clock)
    self.isOptimistic = false
    self.current = state
    self.reduce = reduce
    self.edit = edit
    self.optimistic = nil
  }

  /// Creates a store with optimistic updates.
  package init(
    initialState state: State, history: HistoryPolicy? = nil, log: (any CommitLog)? = nil,
    clock: StoreClock = .system, _ optimistic: OptimisticReducer<State, Action>
  ) {
    self.commits = CommitSequence(history: history, log: log, clock)
    self.isOptimistic = true
    self.current = state
    self.reduce = { state, action in
      state = try optimistic.reduce(state, action, .reduce)
      return nil
    }
    self.edit = { _, _ in }
    self.optimistic = optimistic
  }

  deinit {
    self.commits.finishStreams()
  }
}

// MARK: Reading

extension Store: Selector {
  /// A snapshot of the current state.
  public nonisolated var state: State {
    self.snapshot()
  }

  public nonisolated func select<T>(_ selector: @Sendable (State) -> T) -> T where T: Sendable {
    selector(self.snapshot())
  }

  private func snapshot() -> State {
    self.commits.forbid(.select, in: .current)
    return self.committed.state
  }
}

extension Store {
  /// The current state, and the number of the last commit. The caller has checked reentrancy.
  package var committed: (state: State, number: Int) {
    let use = self.commits.access.beginReading()
    defer { use.end() }
    return (self.current, self.commits.number)
  }

  /// The same with what can be undone and redone.
  package var committedWithHistory: (state: State, number: Int, history: HistoryStatus?) {
    self.commits.access.lock()
    defer { self.commits.access.unlock() }
    return (self.current, self.commits.number, self.commits.history?.status)
  }

  /// The number of optimistic updates in flight; `nil` if it has none.
  package var optimisticCount: Int? {
    guard let optimistic else { return nil }
    let use = self.commits.access.beginReading()
    defer { use.end() }
    return optimistic.changeCount(in: self.inFlight)
  }

  /// Returns an object that `make` makes of the current state, or has made of it before. Few
  /// threads share it, so that not all count the references of the state. It must not own anything
  /// large besides the state.
  package func object(orMake make: (State) -> AnyObject?) -> AnyObject? {
    let use = self.commits.access.beginReading()
    defer { use.end() }
    return self.commits.access.object(of: use) { make(self.current) }
  }
}

// MARK: Streams

extension Store: Streamer {
  /// Makes a stream that holds any number of unread actions.
  ///
  /// It ends when the store is released. If its task is cancelled, unread actions are dropped. To
  /// limit the number of unread actions, use ``makeStream(capacity:overflow:)``.
  public nonisolated func makeStream() -> AsyncStream<(oldState: State, action: Action)> {
    let reader = self.makeReader(capacity: .max, overflow: .fail)
    return AsyncStream {
      guard case .element(let commit) = await reader.next(isolation: nil),
        let action = commit.action
      else { return nil }
      return (commit.oldState, action)
    }
  }

  /// Makes a stream that holds up to `capacity` unread actions.
  ///
  /// - Parameters:
  ///   - capacity: At least 1; a smaller number counts as 1.
  ///   - overflow: What happens to an action when the stream is full.
  public func makeStream(
    capacity: Int, overflow: OverflowPolicy = .fail
  ) -> BoundedStream<State, Action> {
    BoundedStream(reader: self.makeReader(capacity: capacity, overflow: overflow))
  }

  /// Makes a stream that a thread reads, without Swift concurrency. As all typed streams, it does
  /// not carry jumps in the history. The parameters are those of
  /// ``makeStream(capacity:overflow:)``.
  public func makeReader(
    capacity: Int = 1024, overflow: OverflowPolicy = .fail
  ) -> StreamReader<State, Action> {
    StreamReader(
      stream: self.makeCommitStream(capacity: capacity, overflow: overflow) {
        $0.action != nil
      })
  }

  /// Opens a stream as ``commits`` does, of commits with their types.
  package func makeCommitStream(
    capacity: Int, overflow: OverflowPolicy, owner: ObjectIdentifier? = nil,
    isFlushed: Bool = false,
    where isIncluded: @escaping @Sendable (Commit<State, Action>) -> Bool
  ) -> CommitStream {
    self.commits.forbid(.makeStream, in: .current)
    return self.commits.makeStream(
      capacity: capacity, overflow: overflow, owner: owner, isFlushed: isFlushed,
      where: { isIncluded($0.typed()) })
  }
}
