import Threading

extension Store: Dispatcher {
  public nonisolated func dispatch(action: Action) throws {
    try self.transact { state in
      try self.reducer(state, action)
    } makeTransition: { oldState, newState, number in
      self.transitionType.init(
        from: oldState, to: newState, number: number, actions: { [action] })
    } writeToStreams: { oldState, newState in
      self.registrar.write((action, oldState, newState))
    }
  }

  public nonisolated func dispatch(thunk: @Sendable (Store, Store) throws -> Void) rethrows {
    try thunk(self, self)
  }

  public nonisolated func dispatch(thunk: @Sendable (Store, Store) async throws -> Void)
    async rethrows
  {
    try await thunk(self, self)
  }
}

extension Store {
  /// Dispatches several actions atomically: all of them or none, with no other action in between.
  ///
  /// Readers see the state before the first action or after the last. Once all have succeeded,
  /// streams get each action with the states before and after it.
  ///
  /// - Throws: ``BatchError`` with the index of the action that failed and its reducer's error;
  ///   ``ReentrancyError`` if a reducer used its store.
  public func dispatch(batch actions: some Sequence<Action>) throws {
    // Before the reducer runs: a lazy sequence may use the store.
    let actions = Array(actions)
    var elements: [(oldState: State, action: Action)] = []
    try self.transact { state in
      var next = state
      for action in actions {
        let oldState = next
        // Before the reducer runs: if it throws, the old state too is released without the lock.
        elements.append((oldState, action))
        do {
          next = try self.reducer(oldState, action)
        } catch {
          throw BatchError(index: elements.count - 1, underlying: error)
        }
      }
      return next
    } makeTransition: { oldState, newState, number in
      self.transitionType.init(from: oldState, to: newState, number: number) { [elements] in
        elements.map(\.action)
      } statesBetween: { [elements] in
        elements.dropFirst().map(\.oldState)
      }
    } writeToStreams: { _, newState in
      let newStates = elements.dropFirst().map(\.oldState) + [newState]
      self.registrar.write(
        zip(elements, newStates).map { ($0.action, $0.oldState, $1) })
    }
  }
}

// MARK: Transactions

// This code uses no generic types other than State and Action. Where it is not specialized, every
// dispatch would look up each such type at run time.

extension Store {
  private typealias MakeTransition =
    (_ oldState: State, _ newState: State, _ number: Int) -> Transition<State, Action>

  /// Runs the reducer, commits the next state, and notifies subscribers. If `reduce` throws, the
  /// state does not change.
  private func transact(
    _ reduce: (State) throws -> State, makeTransition: MakeTransition,
    writeToStreams: (_ oldState: State, _ newState: State) -> Void
  ) throws {
    try self.refuseReentrancy(.dispatch)
    if CallScope.isInsideCallback {
      // Does not wait for space: the reader of a full stream may be waiting for this very callback.
      self.dispatchLock.lock()
    } else {
      self.registrar.lockWhenUnblocked(self.dispatchLock)
    }
    let oldState = self.current
    CallScope.beginReduction(self)
    let next: State
    do {
      next = try reduce(oldState)
    } catch {
      let violation = CallScope.endReduction()
      self.unlockDispatches()
      throw violation ?? error
    }
    if let violation = CallScope.endReduction() {
      self.unlockDispatches()
      throw violation
    }
    let number = self.commit(next, over: oldState, makeTransition)
    if !self.registrar.isEmpty { writeToStreams(oldState, next) }
    self.unlockDispatches()
    if number > 0 {
      self.notifier.notify(upTo: number)
    }
    // Releases the old state without the locks: it may be large, or its deinitializer may use this
    // store.
    withExtendedLifetime(oldState) {}
  }

  /// Releases the dispatch lock, and completes what waited for that.
  private func unlockDispatches() {
    let copies = self.registrar.endWrites()
    self.dispatchLock.unlock()
    self.registrar.flush()
    withExtendedLifetime(copies) {}
  }

  /// Commits the next state.
  ///
  /// - Returns: The number of the transition for subscribers; 0 without subscribers.
  private func commit(
    _ next: State, over oldState: State, _ makeTransition: MakeTransition
  ) -> Int {
    self.stateLock.lock()
    defer { self.stateLock.unlock() }
    self.current = next
    self.advanceVersion()
    guard self.hasSubscribers else { return 0 }
    return self.notifier.add { number in makeTransition(oldState, next, number) }
  }
}
