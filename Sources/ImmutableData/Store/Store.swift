import Threading

/// One state, and the reducer that alone may replace it.
///
/// ```swift
/// let store = Store<Int, Int>(initialState: 0) { state, action in state + action }
/// try store.dispatch(action: 2)
/// store.state  // 2
/// ```
///
/// A store may be used from any thread. Dispatches are serialized; reads never wait for a reducer.
/// A reducer that throws leaves the state as it was. A reducer is pure: one that dispatches to any
/// store, or selects from or streams its own, fails with ``ReentrancyError``.
public final class Store<State, Action>: @unchecked Sendable
where State: Sendable, Action: Sendable {
  /// A pure function from a state and an action to the next state.
  public typealias Reducer = @Sendable (State, Action) throws -> State

  typealias Element = (oldState: State, action: Action)

  private let reducer: Reducer
  private let registrar = StreamRegistrar<Element>()
  private let notifier = SerialNotifier<Transition<State, Action>>()

  /// Held for the whole of a dispatch, the reducer included.
  private let dispatchLock = Lock()

  /// Guards what follows. Held for a few instructions at a time, so that readers never wait for a
  /// reducer.
  private let access = Lock()

  private var current: State
  private var commits = 0
  private var hasSubscribers = false

  /// Makes a store.
  ///
  /// - Parameters:
  ///   - state: The state before the first action.
  ///   - reducer: Turns a state and an action into the next state, or throws.
  public init(
    initialState state: State,
    reducer: @escaping @Sendable (State, Action) throws -> State
  ) {
    self.reducer = reducer
    self.current = state
  }
}

extension Store: Dispatcher {
  public func dispatch(action: Action) throws {
    try self.transact { state in
      try self.reducer(state, action)
    } actions: {
      [action]
    } telling: { oldState in
      self.registrar.yield((oldState, action))
    }
  }

  public func dispatch(thunk: @Sendable (Store, Store) throws -> Void) rethrows {
    try thunk(self, self)
  }

  public func dispatch(thunk: @Sendable (Store, Store) async throws -> Void) async rethrows {
    try await thunk(self, self)
  }
}

extension Store {
  /// Dispatches several actions as one: all of them or none, with no other action in between.
  ///
  /// Readers see the state before the first or after the last. Streams get each action, with the
  /// state that it found, once all have succeeded.
  ///
  /// - Throws: ``BatchError`` with the index of the action that failed and what its reducer threw.
  public func dispatch(batch actions: some Sequence<Action>) throws {
    var elements: [Element] = []
    try self.transact { state in
      var next = state
      for action in actions {
        let oldState = next
        do {
          next = try self.reducer(oldState, action)
        } catch {
          throw BatchError(index: elements.count, underlying: error)
        }
        elements.append((oldState, action))
      }
      return next
    } actions: {
      elements.map(\.action)
    } telling: { _ in
      self.registrar.yield(elements)
    }
  }
}

extension Store: Selector {
  public func select<T>(_ selector: @Sendable (State) -> T) -> T where T: Sendable {
    selector(self.snapshot())
  }
}

extension Store: Streamer {
  /// Begins a stream that holds up to 1,024 actions which were not yet read.
  ///
  /// A reader that falls further behind gets those, and then the end of the stream. To choose the
  /// capacity and what happens beyond it, and to be told of it, use
  /// ``makeStream(capacity:overflow:)``.
  public func makeStream() -> AsyncStream<(oldState: State, action: Action)> {
    self.recordViolation(.makeStream)
    return self.registrar.makeStream()
  }

  /// Begins a stream that holds up to `capacity` actions which were not yet read.
  ///
  /// - Parameters:
  ///   - capacity: At least 1; a smaller number counts as 1.
  ///   - overflow: What happens to an action that finds the stream full.
  public func makeStream(
    capacity: Int, overflow: OverflowPolicy = .fail
  ) -> BoundedStream<(oldState: State, action: Action)> {
    self.recordViolation(.makeStream)
    return self.registrar.makeStream(capacity: capacity, overflow: overflow)
  }

  /// Begins a stream that a thread reads, without concurrency.
  ///
  /// - Parameters:
  ///   - capacity: At least 1; a smaller number counts as 1.
  ///   - overflow: What happens to an action that finds the stream full.
  ///   - isIncluded: Whether an action is for this stream. Called while the dispatch has its turn:
  ///     it may not use the store.
  public func makeReader(
    capacity: Int = 1024, overflow: OverflowPolicy = .fail,
    where isIncluded: @escaping @Sendable ((oldState: State, action: Action)) -> Bool = { _ in
      true
    }
  ) -> StreamReader<(oldState: State, action: Action)> {
    self.recordViolation(.makeStream)
    return self.registrar.makeReader(capacity: capacity, overflow: overflow, where: isIncluded)
  }
}

extension Store {
  /// Calls `body` after each dispatch from now on, before the dispatch returns.
  ///
  /// It is called in the order of the dispatches, once for a batch, on the thread that dispatched or
  /// on another that did at the same time. It may use the store: what it dispatches takes effect at
  /// once, and subscribers are notified of it when all were notified of the dispatch before. It may
  /// not wait for another thread that dispatches.
  ///
  /// - Parameters:
  ///   - begin: Called first, with the state that the first dispatch to follow finds. That is before
  ///     this returns, except inside a callback while another thread notifies: then that thread
  ///     calls it.
  ///   - body: Called for every dispatch, also one that leaves the state as it is.
  public func subscribe(
    beginning begin: @escaping @Sendable (State) -> Void = { _ in },
    _ body: @escaping @Sendable (Transition<State, Action>) -> Void
  ) -> Subscription {
    let callback = Callback(body)
    guard self.recordViolation(.subscribe) == nil else { return Subscription {} }
    self.withTurn(locked: {
      self.notifier.subscribe(callback)
      self.hasSubscribers = true
    }) { state, _ in
      begin(state)
    }
    return Subscription { [weak self] in
      self?.unsubscribe(callback)
      callback.cancel()
    }
  }

  private func unsubscribe(_ callback: Callback<Transition<State, Action>>) {
    self.access.lock()
    defer { self.access.unlock() }
    self.hasSubscribers = self.notifier.unsubscribe(callback) > 0
  }

  /// Runs `body` while no subscriber runs on another thread, with the current state and the number
  /// of the last transition that led there. Subscribers are notified of later ones after it.
  ///
  /// It has run when this returns, except inside a callback while another thread notifies: then that
  /// thread runs it.
  package func withTurn(_ body: @escaping (_ state: State, _ number: Int) -> Void) {
    self.withTurn(locked: {}, do: body)
  }

  /// - Parameter prepare: Called under the lock of the state, with which it is one step.
  private func withTurn(
    locked prepare: () -> Void, do body: @escaping (_ state: State, _ number: Int) -> Void
  ) {
    let process = ProcessGeneration.current
    switch self.notifier.takeTurn() {
    case .nested:
      let (state, number) = self.numberedState(prepare)
      body(state, number)
    case .taken:
      let (state, number) = self.numberedState(prepare)
      CallScope.callback { body(state, number) }
      guard process.isCurrent else { return }
      self.notifier.endTurn()
    case .elsewhere:
      if self.leave(prepare, body) {
        self.notifier.endTurn()
      }
    }
  }

  /// The current state, the number of the last transition that led there, of those that a subscriber
  /// was to be notified of, and its ``version``.
  package var numberedState: (State, number: Int, version: Int) {
    self.access.lock()
    defer { self.access.unlock() }
    return (self.current, self.notifier.added, self.commits)
  }

  private func numberedState(_ prepare: () -> Void) -> (State, number: Int) {
    self.access.lock()
    defer { self.access.unlock() }
    prepare()
    return (self.current, self.notifier.added)
  }

  // Under the lock, so that every transition after this state is delivered after `body` ran.
  private func leave(
    _ prepare: () -> Void, _ body: @escaping (_ state: State, _ number: Int) -> Void
  ) -> Bool {
    self.access.lock()
    defer { self.access.unlock() }
    prepare()
    let (state, number) = (self.current, self.notifier.added)
    return self.notifier.leave { body(state, number) }
  }

  /// How many actions streams took beyond their capacity, under ``OverflowPolicy/block``.
  package var overruns: Int {
    self.registrar.overruns
  }

  /// Ends every stream: readers get what is held, and then the end.
  package func finishStreams() {
    self.registrar.finish()
  }
}

extension Store {
  /// A number that changes with each dispatch that succeeds: a state that is read after it is this
  /// version or a later one.
  package var version: Int {
    self.access.lock()
    defer { self.access.unlock() }
    return self.commits
  }

  /// Throws if the calling thread is inside this store's reducer; for a dispatch, inside that of any
  /// store.
  ///
  /// `select` and `makeStream` cannot throw. A layer whose own calls can uses this first, so that
  /// the reducer learns of its mistake where it makes it.
  package func refuseReentrancy(_ operation: ReentrancyError.Operation) throws(ReentrancyError) {
    if let violation = self.recordViolation(operation) {
      throw violation
    }
  }

  /// Whether the calling thread is inside this store's reducer.
  package var isReducing: Bool {
    CallScope.isReducing(self)
  }

  /// Records what a reducer on this thread did that it may not do; its dispatch then fails.
  @discardableResult
  private func recordViolation(_ operation: ReentrancyError.Operation) -> ReentrancyError? {
    // Two stores whose reducers dispatched to each other would wait for each other's locks.
    let isViolation = operation == .dispatch ? CallScope.isReducing : CallScope.isReducing(self)
    guard isViolation else { return nil }
    let violation = ReentrancyError(operation: operation)
    CallScope.recordViolation(violation)
    return violation
  }

  private func snapshot() -> State {
    self.recordViolation(.select)
    self.access.lock()
    defer { self.access.unlock() }
    return self.current
  }

  // No generic types beside State and Action: where these are not known to the compiler, each
  // would be looked up anew in every dispatch.

  /// Reduces, commits and notifies; or, if anything throws, does nothing.
  private func transact(
    _ reduce: (State) throws -> State, actions: () -> [Action],
    telling tell: (_ oldState: State) -> Void
  ) throws {
    try self.refuseReentrancy(.dispatch)
    if CallScope.isInsideCallback {
      // A reader of a full stream may wait for this very callback.
      self.dispatchLock.lock()
    } else {
      self.registrar.lockWithRoom(self.dispatchLock)
    }
    let process = ProcessGeneration.current
    let oldState = self.snapshot()
    CallScope.beginReduction(self)
    let next: State
    do {
      next = try reduce(oldState)
    } catch {
      try self.abort(CallScope.endReduction(), process)
      throw error
    }
    let reduction = CallScope.endReduction()
    guard process.isCurrent, reduction?.violation == nil else {
      return try self.abort(reduction, process)
    }
    if let close = reduction?.close {
      self.commitLast(next)
      return close()
    }
    let delivery = self.commit(next, over: oldState, actions)
    tell(oldState)
    self.dispatchLock.unlock()
    if delivery > 0 {
      self.notifier.notify(upTo: delivery)
    }
    // Destroying a large state (or one whose deinitialiser comes back here) has to wait until the
    // locks are free.
    withExtendedLifetime(oldState) {}
  }

  /// Ends a dispatch that commits nothing.
  ///
  /// - Throws: What the reducer did that it may not do, if anything.
  private func abort(_ reduction: CallScope.Reduction?, _ process: ProcessGeneration) throws {
    // In the child of a fork the locks may be held by threads that are not there.
    guard process.isCurrent else { throw ForkError() }
    self.dispatchLock.unlock()
    reduction?.close?()
    if let violation = reduction?.violation { throw violation }
  }

  /// Puts the last state of a store in place that its reducer has closed: nobody is notified.
  private func commitLast(_ next: State) {
    self.access.lock()
    let oldState = self.current
    self.current = next
    self.commits &+= 1
    self.access.unlock()
    self.dispatchLock.unlock()
    withExtendedLifetime(oldState) {}
  }

  /// Puts the next state in place.
  ///
  /// - Returns: The number of the transition that subscribers are notified of; 0 without any.
  private func commit(_ next: State, over oldState: State, _ actions: () -> [Action]) -> Int {
    self.access.lock()
    defer { self.access.unlock() }
    self.current = next
    self.commits &+= 1
    guard self.hasSubscribers else { return 0 }
    let number = self.notifier.added + 1
    self.notifier.add(
      Transition(oldState: oldState, actions: actions(), newState: next, number: number))
    return number
  }
}
