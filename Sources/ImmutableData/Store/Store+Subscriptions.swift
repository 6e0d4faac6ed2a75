import Threading

extension Store {
  /// Calls `body` after each dispatch from now on, before the dispatch returns.
  ///
  /// Calls are in dispatch order, one for a batch, on the thread that dispatched or on another that
  /// dispatches or subscribes at the same time. `body` may use the store. An action that it
  /// dispatches takes effect immediately; subscribers are notified of it after all were notified of
  /// the previous dispatch. `body` must not wait for another thread that dispatches.
  ///
  /// - Parameters:
  ///   - begin: Called first, with the state before the first dispatch that `body` is called for.
  ///     It is called before `subscribe` returns, except inside a callback while another thread
  ///     notifies: then that thread calls it. Without `begin`, `subscribe` does not wait for a
  ///     notifying thread.
  ///   - body: Called for every dispatch, even if the state stays as it is.
  public func subscribe(
    beginning begin: (@Sendable (State) -> Void)? = nil,
    _ body: @escaping @Sendable (Transition<State, Action>) -> Void
  ) -> Subscription {
    let callback = Callback<SerialNotifier.Element> { transition in
      body(unsafeDowncast(transition, to: Transition<State, Action>.self))
    }
    guard self.recordViolation(.subscribe) == nil else { return Subscription {} }
    if let begin {
      self.withNotificationsPaused(locked: { self.add(callback) }) { state, _ in begin(state) }
    } else {
      self.stateLock.lock()
      self.add(callback)
      self.stateLock.unlock()
    }
    return Subscription { [weak self] in
      self?.unsubscribe(callback)
      callback.cancel()
    }
  }

  /// Called while the lock is held that guards the state.
  private func add(_ callback: Callback<SerialNotifier.Element>) {
    self.notifier.subscribe(callback)
    self.hasSubscribers = true
  }

  private func unsubscribe(_ callback: Callback<SerialNotifier.Element>) {
    self.stateLock.lock()
    defer { self.stateLock.unlock() }
    self.hasSubscribers = self.notifier.unsubscribe(callback) > 0
  }
}

// MARK: Pausing notifications

extension Store {
  /// Runs `body` while no subscriber runs on another thread, with the current state and the number
  /// of its transition. Subscribers are notified of later transitions after `body`.
  ///
  /// `body` has run when this returns, except inside a callback while another thread notifies: then
  /// that thread runs it.
  package func withNotificationsPaused(
    _ body: @escaping (_ state: State, _ number: Int) -> Void
  ) {
    self.withNotificationsPaused(locked: {}, do: body)
  }

  /// - Parameter prepare: Called with the lock held that guards the state.
  private func withNotificationsPaused(
    locked prepare: () -> Void, do body: @escaping (_ state: State, _ number: Int) -> Void
  ) {
    switch self.notifier.acquire() {
    case .nested:
      let (state, number) = self.state(after: prepare)
      body(state, number)
    case .acquired:
      let (state, number) = self.state(after: prepare)
      CallScope.callback { body(state, number) }
      self.notifier.drainAndRelease()
    case .busy:
      if self.handOver(prepare, body) {
        self.notifier.drainAndRelease()
      }
    }
  }

  /// The current state, the number of the last transition, and the ``version``, read together.
  package var numberedState: (State, number: Int, version: Int) {
    self.stateLock.lock()
    defer { self.stateLock.unlock() }
    return (self.current, self.notifier.added, self.version)
  }

  private func state(after prepare: () -> Void) -> (State, number: Int) {
    self.stateLock.lock()
    defer { self.stateLock.unlock() }
    prepare()
    return (self.current, self.notifier.added)
  }

  /// Holds the lock, so that all transitions after this state are delivered after `body` has run.
  private func handOver(
    _ prepare: () -> Void, _ body: @escaping (_ state: State, _ number: Int) -> Void
  ) -> Bool {
    self.stateLock.lock()
    defer { self.stateLock.unlock() }
    prepare()
    let (state, number) = (self.current, self.notifier.added)
    return self.notifier.handOver { body(state, number) }
  }
}
