import Threading

/// Notifies subscribers of elements, in the order in which these were added, one subscriber at a
/// time.
///
/// One thread at a time has the turn to notify. A thread that adds an element takes the turn, or
/// waits until the thread that has it has delivered the element. Inside a callback it does not
/// wait: the thread that has the turn delivers the element too. No lock is held while a subscriber
/// runs.
final class SerialNotifier<Element>: Sendable where Element: Sendable {
  private struct Subscriber {
    let callback: Callback<Element>

    /// How many elements had been added when it subscribed: it is not notified of those.
    let start: Int
  }

  private struct State {
    var subscribers: [Subscriber] = []
    var waiting = Queue<Element>()
    var added = 0
    var delivered = 0

    /// What threads inside callbacks left to the thread that notifies: run before the next element.
    var deferred = Queue<() -> Void>()

    /// The thread that has the turn, and how many elements it delivers before the turn ends.
    var notifier: ThreadIdentity?
    var goal = 0
  }

  /// Whether a thread got the turn.
  enum Turn {
    case taken
    /// It has the turn already: this is inside a subscriber.
    case nested
    /// Another thread has it, and cannot be waited for.
    case elsewhere
  }

  private enum Step {
    case element(Element, [Callback<Element>])
    case deferred(() -> Void)
  }

  private let state = Mutex(State())
  private let hasChanged = Condition()
}

// MARK: Elements

extension SerialNotifier {
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

  /// Returns when the first `count` elements were delivered; inside a callback, when it is certain
  /// that they will be.
  func notify(upTo count: Int) {
    let isInsideCallback = CallScope.isInsideCallback
    let hasTurn = self.state.withLock(after: self.hasChanged) { state in
      isInsideCallback || state.notifier == nil || state.delivered >= count
    } do: { state in
      guard state.delivered < count else { return false }
      guard state.notifier == nil else {
        state.goal = max(state.goal, count)
        return false
      }
      state.notifier = .current
      state.goal = count
      return true
    }
    if hasTurn {
      self.endTurn()
    }
  }
}

// MARK: Turns

extension SerialNotifier {
  /// Takes the turn, between two elements. Waits while another thread has it, but not inside a
  /// callback. Where the turn was taken, ``endTurn()`` ends it.
  func takeTurn() -> Turn {
    let isInsideCallback = CallScope.isInsideCallback
    return self.state.withLock(after: self.hasChanged) { state in
      isInsideCallback || state.notifier == nil
    } do: { state in
      guard let notifier = state.notifier else {
        state.notifier = .current
        state.goal = state.delivered
        return .taken
      }
      return notifier.isCurrent ? .nested : .elsewhere
    }
  }

  /// Has the thread that has the turn run `body` before it delivers what is added from now on. If
  /// the turn has ended meanwhile, this thread takes it.
  ///
  /// - Returns: Whether this thread has the turn now, and is to end it.
  func leave(_ body: @escaping () -> Void) -> Bool {
    self.state.withLock { state in
      state.deferred.append(body)
      guard state.notifier == nil else { return false }
      state.notifier = .current
      state.goal = state.delivered
      return true
    }
  }

  /// Runs what was left to this thread, delivers as far as the goal, which subscribers may move, and
  /// ends the turn.
  func endTurn() {
    let process = ProcessGeneration.current
    while let step = self.nextStep() {
      switch step {
      case .deferred(let body):
        CallScope.callback(body)
        guard process.isCurrent else { return }
      case .element(let element, let callbacks):
        for callback in callbacks {
          callback.call(element)
          guard process.isCurrent else { return }
        }
        self.state.withLock { $0.delivered += 1 }
        self.hasChanged.broadcast()
      }
    }
    self.hasChanged.broadcast()
  }

  /// What is to be done next; ends the turn if there is nothing.
  private func nextStep() -> Step? {
    self.state.withLock { state in
      if let body = state.deferred.popFirst() { return .deferred(body) }
      guard state.delivered < state.goal, let element = state.waiting.popFirst() else {
        state.notifier = nil
        return nil
      }
      let number = state.delivered + 1
      let concerned = state.subscribers.filter { $0.start < number }
      return .element(element, concerned.map(\.callback))
    }
  }
}

// MARK: Subscribers

extension SerialNotifier {
  /// Adds a subscriber, which is notified of what is added from now on.
  func subscribe(_ callback: Callback<Element>) {
    self.state.withLock { state in
      state.subscribers.append(Subscriber(callback: callback, start: state.added))
    }
  }

  /// Removes a subscriber.
  ///
  /// - Returns: How many are left.
  func unsubscribe(_ callback: Callback<Element>) -> Int {
    self.state.withLock { state in
      state.subscribers.removeAll { $0.callback === callback }
      return state.subscribers.count
    }
  }
}
