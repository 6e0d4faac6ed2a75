import Dispatch
import ImmutableData
import TestSupport
import Testing

extension StreamResult {
  fileprivate var element: Element? {
    if case .element(let element) = self { element } else { nil }
  }

  fileprivate var end: String? {
    switch self {
    case .element: nil
    case .timedOut: "timed out"
    case .ended: "ended"
    case .overflowed(let capacity): "overflowed at \(capacity)"
    }
  }
}

@Suite struct StreamReaderTests {
  private let store = makeSumStore()

  @Test func elementsHaveTheOldStateAndTheAction() throws {
    let reader = self.store.makeReader()
    try self.store.dispatch(batch: [1, 2])
    try self.store.dispatch(action: 3)
    let elements = (0..<3).compactMap { _ in reader.next().element }
    #expect(elements.map(\.oldState) == [0, 1, 3])
    #expect(elements.map(\.action) == [1, 2, 3])
    #expect(elements.map(\.newState) == [1, 3, 6])
    #expect(elements.map(\.number) == [1, 2, 3])
    #expect(elements.map(\.isLast) == [false, true, true])
    #expect(reader.next(milliseconds: 0).end == "timed out")
    #expect(reader.next(milliseconds: 5).end == "timed out")
    #expect(reader.next(milliseconds: -1).end == "timed out")
  }

  @Test func theStreamsOfAnOwnerEndAfterTheirUnreadActions() throws {
    let owner = Owner()
    let owned = StreamReader<Int, Int>(
      stream: self.store.makeCommitStream(
        capacity: 1, overflow: .block, owner: ObjectIdentifier(owner)
      ) { _ in true })
    let reader = self.store.makeReader(capacity: 8, overflow: .fail)
    try self.store.dispatch(action: 1)
    self.store.commits.finishStreams(of: ObjectIdentifier(owner))
    // Does not wait for space.
    try self.store.dispatch(action: 2)
    #expect(owned.next().element?.action == 1)
    #expect(owned.next().end == "ended")
    #expect(reader.next().element?.action == 1)
    #expect(reader.next().element?.action == 2)
    #expect(reader.next(milliseconds: 0).end == "timed out")
  }

  private final class Owner {}

  @Test func onlyIncludedCommitsAreRead() throws {
    let stream = self.store.makeCommitStream(capacity: 8, overflow: .fail) {
      $0.action?.isMultiple(of: 2) == true
    }
    let reader = StreamReader<Int, Int>(stream: stream)
    try self.store.dispatch(batch: [1, 2, 3, 4])
    #expect(reader.next().element?.action == 2)
    #expect(reader.next().element?.action == 4)
    #expect(reader.next(milliseconds: 0).end == "timed out")
  }

  /// Each action is dispatched while the reader begins to wait.
  @Test(arguments: [nil, 60_000] as [Int32?])
  func aReaderWaits(_ milliseconds: Int32?) {
    let (store, reader) = (self.store, self.store.makeReader())
    let reads = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      for action in 0..<1_000 {
        reads.wait()
        try? store.dispatch(action: action)
      }
    }
    for action in 0..<1_000 {
      reads.signal()
      #expect(reader.next(milliseconds: milliseconds).element?.action == action)
    }
  }

  @Test func failEndsTheStreamAfterUnreadActions() throws {
    let reader = self.store.makeReader(capacity: 2, overflow: .fail)
    try self.store.dispatch(batch: [1, 2, 3, 4])
    #expect(reader.next().element?.action == 1)
    #expect(reader.next().element?.action == 2)
    #expect(reader.next().end == "overflowed at 2")
    #expect(reader.next().end == "overflowed at 2")
  }

  @Test func dropOldestKeepsTheNewestAndCountsTheRest() throws {
    let reader = self.store.makeReader(capacity: 2, overflow: .dropOldest)
    try self.store.dispatch(batch: [1, 2, 3, 4])
    #expect(reader.dropped == 2)
    #expect(reader.next().element?.action == 3)
    #expect(reader.next().element?.action == 4)
  }

  @Test(arguments: [1, 7, 1_000])
  func blockLosesNothing(_ capacity: Int) {
    let (store, reader) = (self.store, self.store.makeReader(capacity: capacity, overflow: .block))
    DispatchQueue.global().async {
      for _ in 0..<5_000 {
        try? store.dispatch(action: 1)
      }
    }
    let states = (0..<5_000).map { _ in reader.next().element?.oldState }
    #expect(states == Array(0..<5_000))
  }

  @Test func closingWakesADispatchThatWaitsForSpace() throws {
    let (store, reader) = (self.store, self.store.makeReader(capacity: 1, overflow: .block))
    try store.dispatch(action: 1)
    let isDispatched = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      try? store.dispatch(action: 1)
      isDispatched.signal()
    }
    reader.close()
    isDispatched.wait()
    #expect(reader.next().end == "ended")
  }

  @Test func closingWakesAReader() {
    for _ in 0..<1_000 {
      let reader = self.store.makeReader()
      let isReading = DispatchSemaphore(value: 0)
      DispatchQueue.global().async {
        isReading.wait()
        reader.close()
      }
      isReading.signal()
      #expect(reader.next().end == "ended")
    }
  }

  @Test func aReaderEndsWithItsStore() throws {
    var store: Store<Int, Int>? = makeSumStore()
    let reader = try #require(store?.makeReader())
    try store?.dispatch(action: 1)
    store = nil
    #expect(reader.next().element?.action == 1)
    #expect(reader.next().end == "ended")
  }

  @Test func theDescriptorIsReadableWhileAReadWouldNotWait() throws {
    let reader = self.store.makeReader()
    try self.store.dispatch(action: 1)
    let descriptor = try #require(reader.descriptor)
    #expect(reader.descriptor == descriptor)
    #expect(isReadable(descriptor))
    try self.store.dispatch(action: 2)
    _ = reader.next()
    #expect(isReadable(descriptor))
    _ = reader.next()
    #expect(!isReadable(descriptor))
    try self.store.dispatch(action: 3)
    #expect(isReadable(descriptor))
    _ = reader.next()
    reader.close()
    #expect(isReadable(descriptor))
  }
}
