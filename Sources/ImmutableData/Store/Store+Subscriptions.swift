import Threading

extension Store {
  /// Calls `body` after each commit from now on, before the dispatch returns.
  ///
  /// Calls are in the order of the commits, on the thread that dispatched or on another that
  /// dispatches or subscribes at the same time. Of a batch, all actions are committed before the
  /// first call. `body` may use the store. An action that it dispatches takes effect immediately;
  /// subscribers are notified of it after all were notified of the previous commits. If subscribers
  /// dispatch in a circle, a dispatch throws ``CausalDepthError`` in the end. `body` must not wait
  /// for another thread that dispatches.
  ///
  /// - Parameters:
  ///   - begin: Called first, with the state before the first commit that `body` is called for. It
  ///     is called before `subscribe` returns, except inside a callback while another thread
  ///     notifies: then that thread calls it. Without `begin`, `subscribe` does not wait for a
  ///     notifying thread.
  ///   - body: Called for every commit, even if the state stays as it is.
  public func subscribe(
    beginning begin: (@Sendable (State) -> Void)? = nil,
    _ body: @escaping @Sendable (Commit<State, Action>) -> Void
  ) -> Subscription {
    let read = { @Sendable (commit: AnyCommit, _: CallScope) in body(commit.typed()) }
    guard let begin else { return self.commits.subscribe(.observers, read) }
    let scope = CallScope.current
    guard self.commits.forbid(.subscribe, in: scope) == nil else { return Subscription {} }
    let reader = NotifiedReader(.observers, read)
    self.withNotificationsPaused(in: scope) {
      self.commits.add(reader)
    } do: { state, _, _ in
      reader.call(in: .current) { begin(state) }
    }
    return self.commits.subscription(of: reader)
  }

  /// Runs `body` while no subscriber runs on another thread, with the current state, the number
  /// of the last commit, and the history. Subscribers are notified of later commits after `body`.
  ///
  /// `body` has run when this returns, except inside a callback while another thread notifies: then
  /// that thread runs it.
  ///
  /// - Parameters:
  ///   - isNested: Whether it runs at once inside a subscriber; otherwise, after all subscribers
  ///     have been called.
  ///   - prepare: Called with the locks held.
  package func withNotificationsPaused(
    in scope: CallScope = .current, isNested: Bool = true, preparing prepare: () -> Void = {},
    do body: @escaping (_ state: State, _ number: Int, _ history: HistoryStatus?) -> Void
  ) {
    self.commits.pauseDelivery(in: scope, isNested: isNested) {
      prepare()
      let (state, number) = (self.current, self.commits.number)
      let history = self.commits.history?.status
      return { body(state, number, history) }
    }
  }
}

/// Calls a function after each dispatch of a store, for as long as this object is retained.
///
/// Made by ``Store/subscribe(beginning:_:)``.
public final class Subscription: Sendable {
  private let onCancel: @Sendable () -> Void

  package init(onCancel: @escaping @Sendable () -> Void) {
    self.onCancel = onCancel
  }

  deinit {
    self.cancel()
  }

  /// Ends the subscription. When this returns, the function neither runs nor will run.
  ///
  /// Inside the function itself, and inside any other callback, this does not wait for a call in
  /// progress, which is then the last. Further calls do nothing.
  public func cancel() {
    self.onCancel()
  }
}
