import Dispatch
import ImmutableData
import TestSupport
import Testing

@Suite struct StreamTests {
  @Test func elementsHaveTheOldStateAndTheAction() async throws {
    let store = makeSumStore()
    let stream = store.makeStream()
    for action in 1...3 {
      try store.dispatch(action: action)
    }
    let elements = try await read(3, of: stream)
    #expect(elements.map(\.oldState) == [0, 1, 3])
    #expect(elements.map(\.action) == [1, 2, 3])
  }

  @Test func onlyLaterActionsAreDelivered() async throws {
    let store = makeSumStore()
    try store.dispatch(action: 1)
    let stream = store.makeStream()
    try store.dispatch(action: 2)
    #expect(try await read(1, of: stream).map(\.action) == [2])
  }

  @Test func anActionThatChangesNothingIsDelivered() async throws {
    let store = makeSumStore()
    let stream = store.makeStream()
    try store.dispatch(action: 0)
    #expect(try await read(1, of: stream).map(\.action) == [0])
  }

  @Test func anActionThatFailsIsNotDelivered() async throws {
    let store = makeSumStore()
    let stream = store.makeStream()
    #expect(throws: Refusal.self) { try store.dispatch(action: -1) }
    try store.dispatch(action: 1)
    #expect(try await read(1, of: stream).map(\.action) == [1])
  }

  @Test func everyStreamHasItsOwnBuffer() async throws {
    let store = makeSumStore()
    let streams = [store.makeStream(), store.makeStream()]
    try store.dispatch(action: 1)
    for stream in streams {
      #expect(try await read(1, of: stream).map(\.action) == [1])
    }
  }

  @Test func streamsEndWithTheirStore() async throws {
    var store: Store<Int, Int>? = makeSumStore()
    let stream = try #require(store?.makeStream())
    let bounded = try #require(store?.makeStream(capacity: 4))
    try store?.dispatch(action: 1)
    store = nil
    #expect(try await read(.max, of: stream).count == 1)
    #expect(try await read(.max, of: bounded).count == 1)
  }

  /// As an `AsyncStream` does that pulls its elements, it may drop unread ones.
  @Test func cancellingATaskEndsItsStream() async throws {
    let store = makeSumStore()
    let stream = store.makeStream()
    let reader = Task { try await read(.max, of: stream).count }
    try store.dispatch(action: 1)
    reader.cancel()
    #expect(try await reader.value <= 1)
    try store.dispatch(action: 1)
    #expect(store.state == 2)
  }

  @Test func cancellingATaskEndsItsBoundedStreamAfterUnreadElements() async throws {
    let store = makeSumStore()
    let stream = store.makeStream(capacity: 1, overflow: .block)
    let reader = Task { try await read(.max, of: stream).count }
    try store.dispatch(action: 1)
    reader.cancel()
    #expect(try await reader.value == 1)
    // No longer waits for the reader.
    try store.dispatch(batch: [1, 1])
    try store.dispatch(action: 1)
    #expect(store.state == 4)
  }

  @Test func tasksThatWaitAreResumed() async throws {
    var store: Store<Int, Int>? = makeSumStore()
    let stream = try #require(store?.makeStream(capacity: 1_000))
    let count = try await withThrowingTaskGroup(of: Int.self) { readers in
      for _ in 0..<4 {
        readers.addTask { try await read(.max, of: stream).count }
      }
      for _ in 0..<1_000 {
        try store?.dispatch(action: 1)
      }
      store = nil
      return try await readers.reduce(0, +)
    }
    #expect(count == 1_000)
  }

  @Test func threadsSeeOneOrder() async throws {
    let store = makeSumStore()
    let streams = [store.makeStream(capacity: 4_000), store.makeStream(capacity: 4_000)]
    onThreads(4) { thread in
      for _ in 0..<1_000 {
        try? store.dispatch(action: thread + 1)
      }
    }
    let orders = [
      try await read(4_000, of: streams[0]), try await read(4_000, of: streams[1]),
    ]
    var state = 0
    for (first, second) in zip(orders[0], orders[1]) {
      #expect(first == second)
      #expect(first.oldState == state)
      state += first.action
    }
    #expect(state == store.state)
  }
}

@Suite struct OverflowTests {
  @Test func theDefaultLosesNothing() async throws {
    let store = makeSumStore()
    let stream = store.makeStream()
    for _ in 0..<10_000 {
      try store.dispatch(action: 1)
    }
    #expect(try await read(10_000, of: stream).map(\.oldState) == Array(0..<10_000))
  }

  @Test func failThrowsAfterUnreadActions() async throws {
    let store = makeSumStore()
    let stream = store.makeStream(capacity: 2, overflow: .fail)
    for action in 1...4 {
      try store.dispatch(action: action)
    }
    var iterator = stream.makeAsyncIterator()
    #expect(try await iterator.next()?.action == 1)
    #expect(try await iterator.next()?.action == 2)
    await #expect(throws: StreamOverflow(capacity: 2)) { try await iterator.next() }
    #expect(try await iterator.next() == nil)
  }

  @Test func dropOldestKeepsTheNewestAndCountsTheRest() async throws {
    let store = makeSumStore()
    let stream = store.makeStream(capacity: 2, overflow: .dropOldest)
    for action in 1...5 {
      try store.dispatch(action: action)
    }
    #expect(stream.dropped == 3)
    #expect(try await read(2, of: stream).map(\.action) == [4, 5])
  }

  @Test(arguments: [1, 4, 100])
  func blockLosesNothingAndIsNeverFurtherAheadThanItsCapacity(_ capacity: Int) async throws {
    let store = makeSumStore()
    let stream = store.makeStream(capacity: capacity, overflow: .block)
    let count = 1_000
    DispatchQueue.global().async {
      for _ in 0..<count {
        try? store.dispatch(action: 1)
      }
    }
    var iterator = stream.makeAsyncIterator()
    for read in 0..<count {
      #expect(try await iterator.next()?.oldState == read)
      #expect(store.state <= read + 1 + capacity)
    }
    #expect(store.state == count)
    #expect(stream.dropped == 0)
  }

  @Test func releasingAStreamUnblocksADispatch() async throws {
    let store = makeSumStore()
    var stream: BoundedStream? = store.makeStream(capacity: 1, overflow: .block)
    try store.dispatch(action: 1)
    let dispatched = Task.detached { try store.dispatch(action: 1) }
    stream = nil
    try await dispatched.value
    #expect(store.state == 2)
    #expect(stream == nil)
  }

  @Test func aBatchMayExceedTheCapacity() async throws {
    let store = makeSumStore()
    let stream = store.makeStream(capacity: 2, overflow: .block)
    try store.dispatch(batch: [1, 2, 3])
    #expect(try await read(3, of: stream).map(\.action) == [1, 2, 3])
  }

  @Test(arguments: [0, -1, Int.min])
  func aCapacityBelowOneCountsAsOne(_ capacity: Int) async throws {
    let store = makeSumStore()
    let stream = store.makeStream(capacity: capacity, overflow: .dropOldest)
    try store.dispatch(batch: [1, 2])
    #expect(try await read(1, of: stream).map(\.action) == [2])
    #expect(stream.dropped == 1)
  }
}
