/// A sequence with a bounded number of elements waiting to be read.
///
/// Made by ``Store/makeStream(capacity:overflow:)``. It is for one reader, and ends when its store
/// is gone or its reader's task is cancelled.
public struct BoundedStream<Element>: AsyncSequence, Sendable where Element: Sendable {
  public typealias Failure = StreamOverflow

  let base: AsyncStream<Element>
  let gauge: StreamGauge

  /// How many elements were dropped so far, under ``OverflowPolicy/dropOldest``.
  public var dropped: Int {
    self.gauge.dropped
  }

  public func makeAsyncIterator() -> Iterator {
    Iterator(base: self.base.makeAsyncIterator(), gauge: self.gauge)
  }

  public struct Iterator: AsyncIteratorProtocol {
    var base: AsyncStream<Element>.Iterator
    let gauge: StreamGauge

    public mutating func next() async throws(StreamOverflow) -> Element? {
      try await self.next(isolation: nil)
    }

    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(StreamOverflow) -> Element? {
      if let element = await self.base.next(isolation: actor) {
        self.gauge.didRead()
        return element
      }
      try self.gauge.checkEnd()
      return nil
    }
  }
}
