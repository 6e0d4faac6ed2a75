/// One state, and the reducer that alone may replace it.
///
/// ```swift
/// let store = Store<Int, Int>(initialState: 0) { state, action in state + action }
/// try store.dispatch(action: 2)
/// store.state  // 2
/// ```
///
/// A store may be used from any thread. Dispatches take turns; reads never wait for a reducer.
/// A reducer that throws leaves the state as it was and tells no stream. A reducer is pure: one
/// that dispatches to, selects from or streams its own store fails with ``ReentrancyError``.
public final class Store<State, Action>: @unchecked Sendable
where State: Sendable, Action: Sendable {
  /// A pure function from a state and an action to the next state.
  public typealias Reducer = @Sendable (State, Action) throws -> State

  typealias Element = (oldState: State, action: Action)

  private let reducer: Reducer
  private let registrar = StreamRegistrar<Element>()
  private let deliveries = Deliveries<Transition<State, Action>>()

  /// Held for the whole of a dispatch, the reducer included.
  private let turn = Lock()

  /// Guards what follows. Held for a few instructions at a time, so that readers never wait for a
  /// reducer.
  private let access = Lock()

  private var current: State
  private var commits = 0
  private var reducing: ThreadIdentity?
  private var violation: ReentrancyError?
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
    self.note(.makeStream)
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
    self.note(.makeStream)
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
    self.note(.makeStream)
    return self.registrar.makeReader(capacity: capacity, overflow: overflow, where: isIncluded)
  }
}

extension Store {
  /// Has `body` be told of each dispatch from now on, before the dispatch returns.
  ///
  /// It is told of dispatches in their order, of a batch as of one, on the thread that dispatched
  /// or on another that did at the same time. It may use the store: what it dispatches takes
  /// effect at once, and is told of when everyone knows of the dispatch before. It may not wait
  /// for another thread that dispatches.
  ///
  /// - Parameters:
  ///   - begin: Called first, before this returns, with the state that the first dispatch to be
  ///     told of finds.
  ///   - body: Called for every dispatch, also one that leaves the state as it is.
  public func subscribe(
    beginning begin: @Sendable (State) -> Void = { _ in },
    _ body: @escaping @Sendable (Transition<State, Action>) -> Void
  ) -> Subscription {
    let callback = Callback(body)
    // A reducer that waited for a subscriber which dispatches would wait for itself.
    guard self.note(.subscribe) == nil else { return Subscription {} }
    self.deliveries.withTurn {
      begin(self.snapshot(subscribing: callback))
    }
    return Subscription { [weak self] in
      self?.unsubscribe(callback)
      callback.cancel()
    }
  }

  private func snapshot(subscribing callback: Callback<Transition<State, Action>>) -> State {
    self.access.lock()
    defer { self.access.unlock() }
    self.deliveries.subscribe(callback)
    self.hasSubscribers = true
    return self.current
  }

  private func unsubscribe(_ callback: Callback<Transition<State, Action>>) {
    self.access.lock()
    defer { self.access.unlock() }
    self.hasSubscribers = self.deliveries.unsubscribe(callback) > 0
  }

  /// Runs `body` while no subscriber runs on another thread, with the current state and the number
  /// of the last transition that led there.
  package func withTurn(_ body: (_ state: State, _ number: Int) -> Void) {
    self.deliveries.withTurn {
      let (state, number) = self.numberedSnapshot()
      body(state, number)
    }
  }

  private func numberedSnapshot() -> (State, Int) {
    self.access.lock()
    defer { self.access.unlock() }
    return (self.current, self.deliveries.added)
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

  /// Throws if the calling thread is inside this store's reducer.
  ///
  /// `select` and `makeStream` cannot throw. A layer whose own calls can uses this first, so that
  /// the reducer hears of its mistake where it makes it.
  package func refuseReentrancy(_ operation: ReentrancyError.Operation) throws(ReentrancyError) {
    if let violation = self.note(operation) {
      throw violation
    }
  }

  /// Whether the calling thread is inside this store's reducer.
  package var isReducing: Bool {
    self.access.lock()
    defer { self.access.unlock() }
    return self.reducing?.isCurrent == true
  }

  /// Remembers, if the calling thread is inside this store's reducer, what it did there; the
  /// dispatch then fails.
  @discardableResult
  private func note(_ operation: ReentrancyError.Operation) -> ReentrancyError? {
    self.access.lock()
    defer { self.access.unlock() }
    guard self.reducing?.isCurrent == true else { return nil }
    let violation = ReentrancyError(operation: operation)
    self.violation = self.violation ?? violation
    return violation
  }

  private func snapshot() -> State {
    self.note(.select)
    self.access.lock()
    defer { self.access.unlock() }
    return self.current
  }

  // No generic types beside State and Action: where these are not known to the compiler, each
  // would be looked up anew in every dispatch.

  /// Takes a turn: reduces, commits and tells everyone; or, if anything throws, does nothing.
  private func transact(
    _ reduce: (State) throws -> State, actions: () -> [Action],
    telling tell: (_ oldState: State) -> Void
  ) throws {
    try self.refuseReentrancy(.dispatch)
    self.registrar.lockWithRoom(self.turn)
    let oldState = self.begin()
    let next: State
    do {
      next = try reduce(oldState)
    } catch {
      _ = self.end()
      self.turn.unlock()
      throw error
    }
    let violation = self.end()
    if let violation {
      self.turn.unlock()
      throw violation
    }
    let delivery = self.commit(next, over: oldState, actions)
    tell(oldState)
    self.turn.unlock()
    if delivery > 0 {
      self.deliveries.deliver(upTo: delivery)
    }
    // Destroying a large state (or one whose deinitialiser comes back here) has to wait until the
    // locks are free.
    withExtendedLifetime(oldState) {}
  }

  private func begin() -> State {
    self.access.lock()
    defer { self.access.unlock() }
    self.reducing = .current
    return self.current
  }

  /// Ends a reduction.
  ///
  /// - Returns: How the reducer used its store, if it did.
  private func end() -> ReentrancyError? {
    self.access.lock()
    defer { self.access.unlock() }
    let violation = self.violation
    self.reducing = nil
    self.violation = nil
    return violation
  }

  /// Puts the next state in place.
  ///
  /// - Returns: Which delivery tells subscribers of it; 0 without any.
  private func commit(_ next: State, over oldState: State, _ actions: () -> [Action]) -> Int {
    self.access.lock()
    defer { self.access.unlock() }
    self.current = next
    self.commits &+= 1
    guard self.hasSubscribers else { return 0 }
    let number = self.deliveries.added + 1
    self.deliveries.add(
      Transition(oldState: oldState, actions: actions(), newState: next, number: number))
    return number
  }
}
