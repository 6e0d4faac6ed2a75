import Dispatch
import ImmutableData
import TestSupport
import Testing

/// A subscription that its own function can access.
private final class Holder: @unchecked Sendable {
  var subscription: Subscription?
}

@Suite struct SubscriptionTests {
  private let store = makeSumStore()

  @Test func aSubscriberIsCalledBeforeTheDispatchReturns() throws {
    let log = Recorder<[Int]>()
    let subscription = self.store.subscribe {
      log.append([$0.oldState, $0.action ?? 0, $0.newState])
    }
    try self.store.dispatch(action: 2)
    #expect(log.all == [[0, 2, 2]])
    try self.store.dispatch(action: 0)
    #expect(log.all == [[0, 2, 2], [2, 0, 2]])
    subscription.cancel()
    try self.store.dispatch(action: 3)
    #expect(log.all.count == 2)
  }

  @Test func aBatchIsCommittedBeforeItsFirstNotification() throws {
    let log = Recorder<[Int]>()
    let subscription = self.store.subscribe {
      log.append([$0.oldState, $0.action ?? 0, $0.newState])
    }
    let states = Recorder<Int>()
    let other = self.store.subscribe { [store] commit in
      if !commit.isLast { states.append(store.state) }
    }
    try self.store.dispatch(batch: [1, 2, 3])
    #expect(log.all == [[0, 1, 1], [1, 2, 3], [3, 3, 6]])
    #expect(states.all == [6, 6])
    withExtendedLifetime((subscription, other)) {}
  }

  @Test func aFailedActionIsNotNotified() throws {
    let log = Recorder<Int>()
    let subscription = self.store.subscribe { log.append($0.newState) }
    #expect(throws: Refusal.self) { try self.store.dispatch(action: -1) }
    #expect(throws: BatchError.self) { try self.store.dispatch(batch: [1, -1]) }
    #expect(log.all.isEmpty)
    withExtendedLifetime(subscription) {}
  }

  @Test func beginGetsTheStateBeforeTheFirstNotification() throws {
    try self.store.dispatch(action: 1)
    let log = Recorder<Int>()
    let subscription = self.store.subscribe {
      log.append($0)
    } _: {
      log.append($0.newState)
    }
    try self.store.dispatch(action: 1)
    #expect(log.all == [1, 2])
    withExtendedLifetime(subscription) {}
  }

  @Test func releasingASubscriptionCancelsIt() throws {
    let log = Recorder<Int>()
    var subscription: Subscription? = self.store.subscribe { log.append($0.newState) }
    try self.store.dispatch(action: 1)
    subscription = nil
    try self.store.dispatch(action: 1)
    #expect(log.all == [1])
    #expect(subscription == nil)
  }

  @Test func actionsOfASubscriberTakeEffectImmediatelyAndAreNotifiedNext() throws {
    let (first, second) = (Recorder<Int>(), Recorder<Int>())
    let store = self.store
    let seen = Recorder<Int>()
    let subscriptions = [
      store.subscribe { transition in
        first.append(transition.newState)
        if transition.newState == 1 {
          try? store.dispatch(action: 10)
          seen.append(store.state)
        }
      },
      store.subscribe { second.append($0.newState) },
    ]
    try store.dispatch(action: 1)
    #expect(seen.all == [11])
    #expect(first.all == [1, 11])
    #expect(second.all == [1, 11])
    withExtendedLifetime(subscriptions) {}
  }

  @Test func aSubscriberMayCancelItself() throws {
    let log = Recorder<Int>()
    let holder = Holder()
    holder.subscription = self.store.subscribe {
      log.append($0.newState)
      holder.subscription?.cancel()
    }
    try self.store.dispatch(action: 1)
    try self.store.dispatch(action: 1)
    #expect(log.all == [1])
  }

  @Test func aSubscriberMaySubscribe() throws {
    let log = Recorder<String>()
    let holder = Holder()
    let store = self.store
    let subscription = store.subscribe { transition in
      guard transition.newState == 1 else { return }
      holder.subscription = store.subscribe {
        log.append("begin \($0)")
      } _: {
        log.append("notified \($0.newState)")
      }
      log.append("subscribed")
    }
    try store.dispatch(action: 1)
    try store.dispatch(action: 1)
    #expect(log.all == ["begin 1", "subscribed", "notified 2"])
    withExtendedLifetime(subscription) {}
  }

  @Test func notificationsAreInDispatchOrder() {
    let log = Recorder<(Int, Int)>()
    let store = self.store
    let subscription = store.subscribe { log.append(($0.oldState, $0.newState)) }
    onThreads(4) { _ in
      for _ in 0..<500 {
        try? store.dispatch(action: 1)
      }
    }
    #expect(log.all.map(\.0) == Array(0..<2_000))
    #expect(log.all.map(\.1) == Array(1...2_000))
    withExtendedLifetime(subscription) {}
  }

  @Test func aDispatchReturnsAfterItsNotification() {
    let store = self.store
    let counts = (0..<4).map { _ in Recorder<Int>() }
    let late = Recorder<Int>()
    let subscription = store.subscribe { commit in
      counts[(commit.action ?? 0) - 1].append(commit.action ?? 0)
    }
    onThreads(4) { thread in
      for count in 1...500 {
        try? store.dispatch(action: thread + 1)
        if counts[thread].all.count < count {
          late.append(count)
        }
      }
    }
    #expect(late.all.isEmpty)
    withExtendedLifetime(subscription) {}
  }

  @Test func cancellingWaitsForACallInProgress() throws {
    let (entered, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let log = Recorder<String>()
    let store = self.store
    let subscription = store.subscribe { _ in
      entered.signal()
      release.wait()
      log.append("returned")
    }
    let isDone = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      try? store.dispatch(action: 1)
      isDone.signal()
    }
    entered.wait()
    DispatchQueue.global().async { release.signal() }
    subscription.cancel()
    #expect(log.all == ["returned"])
    isDone.wait()
  }

  @Test func subscribingAndCancellingDuringDispatches() {
    let store = self.store
    onThreads(4) { thread in
      for _ in 0..<200 {
        if thread < 2 {
          try? store.dispatch(action: 1)
        } else {
          let log = Recorder<Int>()
          let subscription = store.subscribe {
            log.append($0)
          } _: {
            log.append($0.newState)
          }
          try? store.dispatch(action: 0)
          subscription.cancel()
          let states = log.all
          #expect(states.count >= 2)
          #expect(states == states.sorted())
        }
      }
    }
    #expect(store.state == 400)
  }
}

/// What runs on the delivering thread outside of its subscribers may use the store, too.
@Suite struct DelivererTests {
  /// A state that uses its store when it is destroyed.
  private final class Node: Sendable {
    let number: Int
    let atEnd: @Sendable (Int) -> Void

    init(_ number: Int, _ atEnd: @escaping @Sendable (Int) -> Void) {
      self.number = number
      self.atEnd = atEnd
    }

    deinit {
      self.atEnd(self.number)
    }
  }

  private final class Holder: @unchecked Sendable {
    var store: Store<Node, Int>?
  }

  @Test func aDestroyedStateMayDispatch() throws {
    let (holder, destroyed) = (Holder(), Recorder<Int>())
    let atEnd: @Sendable (Int) -> Void = { number in
      destroyed.append(number)
      if number == 1 { try? holder.store?.dispatch(action: 100) }
    }
    let store = Store<Node, Int>(initialState: Node(0, atEnd)) { _, action in Node(action, atEnd) }
    holder.store = store
    let log = Recorder<Int>()
    // Each commit but the first is released by the delivering thread.
    let subscription = store.subscribe { commit in
      log.append(commit.action ?? 0)
      if let action = commit.action, action < 3 { try? holder.store?.dispatch(action: action + 1) }
    }
    try store.dispatch(action: 1)
    #expect(log.all == [1, 2, 3, 100])
    #expect(destroyed.all.contains(1))
    holder.store = nil
    withExtendedLifetime(subscription) {}
  }

  /// Runs a job at once, on the thread that resumes it.
  private final class InlineExecutor: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
      job.runSynchronously(on: self.asUnownedTaskExecutor())
    }
  }

  @Test func aResumedTaskMayDispatch() async throws {
    let store = makeSumStore()
    let log = Recorder<Int>()
    let subscription = store.subscribe { log.append($0.newState) }
    let stream = store.makeStream()
    let (isReading, continuation) = AsyncStream.makeStream(of: Void.self)
    let task = Task(executorPreference: InlineExecutor()) {
      continuation.yield()
      for await (_, action) in stream {
        if action == 3 { return }
        try? store.dispatch(action: action + 1)
      }
    }
    for await _ in isReading { break }
    try store.dispatch(action: 1)
    await task.value
    #expect(store.state == 6)
    #expect(log.all == [1, 3, 6])
    withExtendedLifetime(subscription) {}
  }
}
