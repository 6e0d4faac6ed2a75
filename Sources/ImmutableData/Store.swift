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

  /// Held for the whole of a dispatch, the reducer included.
  private let turn = Lock()

  /// Guards what follows. Held for a few instructions at a time, so that readers never wait for a
  /// reducer.
  private let access = Lock()

  private var current: State
  private var reducing: ThreadIdentity?
  private var violation: ReentrancyError?

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
}

extension Store {
  /// Throws if the calling thread is inside this store's reducer.
  ///
  /// `select` and `makeStream` cannot throw. A layer whose own calls can uses this first, so that
  /// the reducer hears of its mistake where it makes it.
  package func refuseReentrancy(_ operation: ReentrancyError.Operation) throws(ReentrancyError) {
    if let violation = self.note(operation) {
      throw violation
    }
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

  /// Takes a turn: reduces, commits and tells the streams; or, if anything throws, does nothing.
  private func transact(
    _ reduce: (State) throws -> State, telling tell: (_ oldState: State) -> Void
  ) throws {
    try self.refuseReentrancy(.dispatch)
    self.registrar.lockWithRoom(self.turn)
    let oldState = self.begin()
    let next: State
    do {
      next = try reduce(oldState)
    } catch {
      self.end()
      self.turn.unlock()
      throw error
    }
    if let violation = self.end(committing: next) {
      self.turn.unlock()
      throw violation
    }
    tell(oldState)
    self.turn.unlock()
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

  /// Ends a reduction that threw.
  private func end() {
    self.access.lock()
    defer { self.access.unlock() }
    self.reducing = nil
    self.violation = nil
  }

  /// Ends a reduction, and commits what it made unless it used its store.
  private func end(committing next: State) -> ReentrancyError? {
    self.access.lock()
    defer { self.access.unlock() }
    let violation = self.violation
    self.reducing = nil
    self.violation = nil
    if violation == nil {
      self.current = next
    }
    return violation
  }
}
