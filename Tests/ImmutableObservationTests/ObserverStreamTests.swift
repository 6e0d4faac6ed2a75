import ImmutableData
import ImmutableObservation
import Observation
import Testing

@Suite struct ObserverStreamTests {
  private let store = Store<Int, Int>(initialState: 1) { $0 + $1 }
  private let observer = Observer<Int, Int, Int>(outputSelector: ObserverSelector { $0 / 10 })

  @Test func aStreamBeginsWithTheCurrentOutput() async throws {
    var outputs = self.observer.makeStream().makeAsyncIterator()
    self.observer.listen(to: self.store)
    #expect(await outputs.next() == 0)
    try self.store.dispatch(action: 10)
    #expect(await outputs.next() == 1)
    var later = self.observer.makeStream().makeAsyncIterator()
    #expect(await later.next() == 1)
  }

  @Test func aReaderThatFallsBehindGetsTheLatestOutput() async throws {
    self.observer.listen(to: self.store)
    var outputs = self.observer.makeStream().makeAsyncIterator()
    for _ in 1...3 { try self.store.dispatch(action: 10) }
    try self.store.dispatch(action: 1)
    #expect(await outputs.next() == 3)
    try self.store.dispatch(action: 10)
    #expect(await outputs.next() == 4)
  }

  @Test func theStreamEndsWithTheObserver() async throws {
    var observer: Observer? = Observer<Int, Int, Int>(outputSelector: ObserverSelector { $0 })
    observer?.listen(to: self.store)
    let stream = try #require(observer?.makeStream())
    observer = nil
    #expect(await stream.reduce(into: []) { $0.append($1) } == [1])
  }

  /// If the reader missed the last output, it would wait forever.
  @Test func theLastOutputOfOtherThreadsIsNotMissed() async throws {
    self.observer.listen(to: self.store)
    let (store, stream) = (self.store, self.observer.makeStream())
    let reader = Task {
      for await output in stream where output == 1000 { return output }
      return 0
    }
    await withThrowingTaskGroup { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<2500 { try store.dispatch(action: 1) }
        }
      }
    }
    #expect(await reader.value == 1000)
  }

  @Test func aTrackerReadsTheNewOutput() throws {
    self.observer.listen(to: self.store)
    let seen = Seen()
    withObservationTracking {
      _ = self.observer.output
    } onChange: { [observer] in
      seen.output = observer.output
    }
    try self.store.dispatch(action: 10)
    #expect(seen.output == 1)
  }
}

/// Used by the dispatching thread only.
private final class Seen: @unchecked Sendable {
  var output: Int?
}
