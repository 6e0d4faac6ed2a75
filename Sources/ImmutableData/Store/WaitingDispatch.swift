import Threading

/// A dispatch of a store whose log a driver keeps, until the log has its entry.
final class WaitingDispatch<Action: Sendable>: @unchecked Sendable {
  let actions: [Action]
  let isBatch: Bool
  /// The only action as JSON text; empty if the log must encode it. Valid until the outcome.
  let text: UnsafeRawBufferPointer

  // Guarded by the lock of the queue:

  fileprivate(set) var outcome: Result<Void, any Error>?
  /// The append that had its entry and was not answered.
  fileprivate(set) var append: Int?

  init(
    _ actions: [Action], isBatch: Bool,
    _ text: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0)
  ) {
    (self.actions, self.isBatch, self.text) = (actions, isBatch, text)
  }
}

/// The dispatches of several threads that wait for the log, in order. One of the threads appends
/// for all.
struct WaitingDispatches<Action: Sendable>: ~Copyable, Sendable {
  private let dispatches = Mutex<[WaitingDispatch<Action>]>([])
  private let turn = AppendTurn()
}

extension WaitingDispatches {
  borrowing func append(_ dispatch: WaitingDispatch<Action>) {
    self.dispatches.withLock { $0.append(dispatch) }
  }

  /// Those that wait.
  var all: [WaitingDispatch<Action>] {
    self.dispatches.withLock { $0 }
  }

  /// Waits until dispatches have ended, or no thread appends.
  ///
  /// - Returns: Whether one has not ended. The caller then appends, and calls ``endAppending()``.
  borrowing func beginAppending(for dispatches: [WaitingDispatch<Action>]) -> Bool {
    self.turn.begin { dispatches.allSatisfy { self.outcome(of: $0) != nil } }
  }

  borrowing func endAppending() {
    self.turn.end()
  }

  /// Ends a dispatch, unless it has ended.
  borrowing func end(_ dispatch: WaitingDispatch<Action>, _ outcome: Result<Void, any Error>) {
    self.dispatches.withLock { dispatches in
      guard dispatch.outcome == nil else { return }
      dispatch.outcome = outcome
      dispatches.removeAll { $0 === dispatch }
    }
  }

  /// Notes which append had the entries of dispatches and was not answered; `nil` for none.
  borrowing func note(_ append: Int?, of dispatches: [WaitingDispatch<Action>]) {
    self.dispatches.withLock { _ in
      for dispatch in dispatches { dispatch.append = append }
    }
  }

  borrowing func append(of dispatch: WaitingDispatch<Action>) -> Int? {
    self.dispatches.withLock { _ in dispatch.append }
  }

  borrowing func outcome(of dispatch: WaitingDispatch<Action>) -> Result<Void, any Error>? {
    self.dispatches.withLock { _ in dispatch.outcome }
  }
}

/// The right of one thread to append what all have dispatched.
private struct AppendTurn: ~Copyable, Sendable {
  private let isTaken = Mutex(false)
  private let hasEnded = Condition()

  /// Waits for it.
  ///
  /// - Parameter isNeedless: Whether the caller does not need it any more.
  /// - Returns: Whether the caller has it.
  borrowing func begin(unless isNeedless: () -> Bool) -> Bool {
    self.isTaken.withLock(after: self.hasEnded) { isTaken in
      !isTaken || isNeedless()
    } do: { isTaken in
      guard !isTaken, !isNeedless() else { return false }
      isTaken = true
      return true
    }
  }

  borrowing func end() {
    self.isTaken.withLock { $0 = false }
    self.hasEnded.broadcast()
  }
}
