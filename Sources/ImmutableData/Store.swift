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
public final class Store<State, Action>: Sendable where State: Sendable, Action: Sendable {
  /// A pure function from a state and an action to the next state.
  public typealias Reducer = @Sendable (State, Action) throws -> State

  typealias Element = (oldState: State, action: Action)

  private let reducer: Reducer
  private let registrar = StreamRegistrar<Element>()

  /// Held for the whole of a dispatch, the reducer included.
  private let turn = Mutex(())

  /// Held for a few instructions at a time, so that readers never wait for a reducer.
  private let current: Mutex<Current>

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
    self.current = Mutex(Current(state: state))
  }
}

extension Store {
  /// The state, and the reduction that is about to replace it.
  private struct Current {
    var state: State
    var reducing: ThreadIdentity?
    var violation: ReentrancyError?
  }
}

extension Store: Dispatcher {
  public func dispatch(action: Action) throws {
    try self.transact { state in
      (try self.reducer(state, action), CollectionOfOne((state, action)))
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
    try self.transact { state in
      var elements: [Element] = []
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
      return (next, elements)
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
    self.current.withLock { current in
      guard current.reducing?.isCurrent == true else { return nil }
      let violation = ReentrancyError(operation: operation)
      current.violation = current.violation ?? violation
      return violation
    }
  }

  private func snapshot() -> State {
    self.note(.select)
    return self.current.withLock { $0.state }
  }

  /// Takes a turn: reduces, commits and tells the streams; or, if anything throws, does nothing.
  private func transact<Elements: Collection<Element>>(
    _ reduce: (State) throws -> (next: State, elements: Elements)
  ) throws {
    try self.refuseReentrancy(.dispatch)
    // What is replaced leaves through this value: destroying a large state (or a state whose
    // deinitialiser comes back here) has to wait until the locks are free.
    let replaced = try self.registrar.withRoom(self.turn) {
      let (next, elements) = try self.reduced(reduce)
      let oldState = self.current.withLock { current in
        let oldState = current.state
        current.state = next
        return oldState
      }
      self.registrar.yield(elements)
      return (oldState, elements)
    }
    withExtendedLifetime(replaced) {}
  }

  private func reduced<Result>(_ reduce: (State) throws -> Result) throws -> Result {
    let state = self.current.withLock { current in
      current.reducing = .current
      return current.state
    }
    let result = Swift.Result { try reduce(state) }
    let violation = self.current.withLock { current in
      let violation = current.violation
      current.reducing = nil
      current.violation = nil
      return violation
    }
    let value = try result.get()
    if let violation {
      throw violation
    }
    return value
  }
}
