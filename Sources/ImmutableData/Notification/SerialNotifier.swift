import Threading

/// Delivers elements to subscribers in the order in which they were added, one subscriber at a
/// time.
///
/// One thread at a time is the notifier. A thread that adds an element waits while another one
/// notifies. Then it becomes the notifier, unless its element has been delivered. Inside a callback
/// it does not wait: the current notifier delivers its element too. No lock is held while a
/// subscriber runs.
///
/// Not generic: unspecialized code would look up generic types at run time for each element.
final class SerialNotifier: Sendable {
  typealias Element = any AnyObject & Sendable

  private struct Subscriber {
    let callback: Callback<Element>

    /// The number of elements added before it subscribed. It does not get those.
    let start: Int
  }

  private struct State {
    var subscribers: [Subscriber] = []
    var undelivered = Queue<Element>()
    var added = 0
    var delivered = 0

    /// Work that threads inside callbacks handed over. It runs before the next element.
    var handedOver: [() -> Void] = []

    /// The notifying thread, and the number of delivered elements at which it stops.
    var notifier: ThreadIdentity?
    var goal = 0
  }

  /// The outcome of ``SerialNotifier/acquire()``.
  enum Acquisition {
    case acquired
    /// The calling thread is the notifier already: this is inside a subscriber.
    case nested
    /// Another thread is the notifier, and must not be waited for.
    case busy
  }

  private enum Step {
    /// An element with its number, and the subscribers, some of which may have subscribed later.
    case element(Element, Int, [Subscriber])
    case handedOver([() -> Void])
  }

  private let state = Mutex(State())
  private let hasChanged = Condition()
}

// MARK: Elements

extension SerialNotifier {
  /// The number of elements added so far.
  var added: Int {
    self.state.withLock { $0.added }
  }

  /// Adds an element, to be delivered by ``notify(upTo:)``.
  ///
  /// - Parameter makeElement: Returns the element. Receives its number.
  /// - Returns: The number of elements added so far.
  func add(_ makeElement: (_ number: Int) -> Element) -> Int {
    self.state.withLock { state in
      state.added += 1
      state.undelivered.append(makeElement(state.added))
      return state.added
    }
  }

  /// Returns when the first `count` elements have been delivered. Inside a callback, returns as
  /// soon as the current notifier, if there is one, is certain to deliver them.
  func notify(upTo count: Int) {
    let isInsideCallback = CallScope.isInsideCallback
    let isNotifier = self.state.withLock(after: self.hasChanged) { state in
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
    if isNotifier {
      self.drainAndRelease()
    }
  }
}

// MARK: The notifying thread

extension SerialNotifier {
  /// Makes the calling thread the notifier, so that no subscriber runs on another thread until
  /// ``drainAndRelease()``. Waits while another thread is the notifier, except inside a callback.
  func acquire() -> Acquisition {
    let isInsideCallback = CallScope.isInsideCallback
    return self.state.withLock(after: self.hasChanged) { state in
      isInsideCallback || state.notifier == nil
    } do: { state in
      guard let notifier = state.notifier else {
        state.notifier = .current
        state.goal = state.delivered
        return .acquired
      }
      return notifier.isCurrent ? .nested : .busy
    }
  }

  /// Hands `body` over to the notifier, which runs it before it delivers elements added from now
  /// on.
  ///
  /// - Returns: Whether the calling thread is now the notifier, because the other one has finished.
  ///   It must then call ``drainAndRelease()``.
  func handOver(_ body: @escaping () -> Void) -> Bool {
    self.state.withLock { state in
      state.handedOver.append(body)
      guard state.notifier == nil else { return false }
      state.notifier = .current
      state.goal = state.delivered
      return true
    }
  }

  /// Runs the work that was handed over and delivers elements up to the goal, which may rise
  /// meanwhile. The calling thread is then no longer the notifier.
  func drainAndRelease() {
    var hasDelivered = false
    while let step = self.nextStep(afterDelivery: hasDelivered) {
      if hasDelivered { self.hasChanged.broadcast() }
      switch step {
      case .handedOver(let bodies):
        hasDelivered = false
        for body in bodies {
          CallScope.callback(body)
        }
      case .element(let element, let number, let subscribers):
        hasDelivered = true
        for subscriber in subscribers where subscriber.start < number {
          subscriber.callback.call(element)
        }
      }
    }
    self.hasChanged.broadcast()
  }

  /// Takes the next step. If nothing is left to do, the calling thread stops being the notifier.
  ///
  /// - Parameter hasDelivered: Whether the last step delivered an element.
  private func nextStep(afterDelivery hasDelivered: Bool) -> Step? {
    self.state.withLock { state in
      if hasDelivered { state.delivered += 1 }
      guard state.handedOver.isEmpty else {
        defer { state.handedOver = [] }
        return .handedOver(state.handedOver)
      }
      guard state.delivered < state.goal, let element = state.undelivered.popFirst() else {
        state.notifier = nil
        return nil
      }
      return .element(element, state.delivered + 1, state.subscribers)
    }
  }
}

// MARK: Subscribers

extension SerialNotifier {
  /// Adds a subscriber, which gets the elements added from now on.
  func subscribe(_ callback: Callback<Element>) {
    self.state.withLock { state in
      state.subscribers.append(Subscriber(callback: callback, start: state.added))
    }
  }

  /// Removes a subscriber.
  ///
  /// - Returns: The number of remaining subscribers.
  func unsubscribe(_ callback: Callback<Element>) -> Int {
    self.state.withLock { state in
      state.subscribers.removeAll { $0.callback === callback }
      return state.subscribers.count
    }
  }
}
