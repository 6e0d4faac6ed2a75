/// Tells subscribers what happened, in the order in which it happened, one subscriber at a time.
///
/// Who adds an element goes on once it was delivered: it delivers what is waiting itself, or waits
/// while another thread does. What is added by a subscriber is delivered after what that is told
/// of, by the same thread. No lock is held while a subscriber runs.
final class Deliveries<Element>: Sendable where Element: Sendable {
  private struct Subscriber {
    let callback: Callback<Element>

    /// How many elements had been added when it subscribed: it is not told of those.
    let start: Int
  }

  private struct State {
    var subscribers: [Subscriber] = []
    var waiting = Queue<Element>()
    var added = 0
    var delivered = 0

    /// The thread whose turn it is to run subscribers, and how far it goes.
    var deliverer: ThreadIdentity?
    var goal = 0
  }

  private let state = Mutex(State())
  private let hasChanged = Condition()
}

extension Deliveries {
  /// How many elements were added so far.
  var added: Int {
    self.state.withLock { $0.added }
  }

  /// Adds an element to what is to be delivered.
  func add(_ element: Element) {
    self.state.withLock { state in
      state.added += 1
      state.waiting.append(element)
    }
  }

  /// Returns when the first `count` elements were delivered. Inside a subscriber, at once: they
  /// are then delivered next.
  func deliver(upTo count: Int) {
    let isDone = self.state.withLock { state in
      guard state.deliverer?.isCurrent == true else { return false }
      state.goal = max(state.goal, count)
      return true
    }
    guard !isDone else { return }
    let hasTurn = self.state.withLock(after: self.hasChanged) { state in
      state.deliverer == nil || state.delivered >= count
    } do: { state in
      guard state.delivered < count else { return false }
      state.deliverer = .current
      state.goal = count
      return true
    }
    if hasTurn {
      self.deliver()
    }
  }

  /// Runs `body` while no subscriber runs on another thread, and between two elements or, inside a
  /// subscriber, at once.
  func withTurn(_ body: () -> Void) {
    guard !self.state.withLock({ $0.deliverer?.isCurrent == true }) else { return body() }
    self.state.withLock(after: self.hasChanged) { state in
      state.deliverer == nil
    } do: { state in
      state.deliverer = .current
      state.goal = state.delivered
    }
    body()
    self.deliver()
  }

  /// Adds a subscriber, which is told of what is added from now on.
  func subscribe(_ callback: Callback<Element>) {
    self.state.withLock { state in
      state.subscribers.append(Subscriber(callback: callback, start: state.added))
    }
  }

  /// Takes a subscriber out.
  ///
  /// - Returns: How many are left.
  func unsubscribe(_ callback: Callback<Element>) -> Int {
    self.state.withLock { state in
      state.subscribers.removeAll { $0.callback === callback }
      return state.subscribers.count
    }
  }
}

extension Deliveries {
  /// Delivers as far as the goal, which subscribers may move, and ends the turn.
  private func deliver() {
    while let (element, subscribers) = self.next() {
      for subscriber in subscribers {
        subscriber.call(element)
      }
      self.state.withLock { $0.delivered += 1 }
      self.hasChanged.broadcast()
    }
    self.hasChanged.broadcast()
  }

  /// The next element and those to be told of it; ends the turn if the goal is reached.
  private func next() -> (Element, [Callback<Element>])? {
    self.state.withLock { state in
      guard state.delivered < state.goal, let element = state.waiting.popFirst() else {
        state.deliverer = nil
        return nil
      }
      let number = state.delivered + 1
      let concerned = state.subscribers.filter { $0.start < number }
      return (element, concerned.map(\.callback))
    }
  }
}
