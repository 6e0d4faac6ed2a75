/// An asynchronous sequence that holds a bounded number of unread elements.
///
/// Made by ``Store/makeStream(capacity:overflow:)``. It is for one reader. It ends when its store
/// is released or its reader's task is cancelled; unread elements are delivered before the end.
public struct BoundedStream<Element>: AsyncSequence, Sendable where Element: Sendable {
  public typealias Failure = StreamOverflow

  let reader: StreamReader<Element>

  /// The number of elements dropped so far, with ``OverflowPolicy/dropOldest``.
  public var dropped: Int {
    self.reader.dropped
  }

  public func makeAsyncIterator() -> Iterator {
    Iterator(reader: self.reader)
  }

  public struct Iterator: AsyncIteratorProtocol {
    /// `nil` after the end.
    var reader: StreamReader<Element>?

    public mutating func next() async throws(StreamOverflow) -> Element? {
      try await self.next(isolation: nil)
    }

    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(StreamOverflow) -> Element? {
      guard let reader else { return nil }
      switch await reader.next(isolation: actor) {
      case .element(let element):
        return element
      case .overflowed(let capacity):
        self.reader = nil
        throw StreamOverflow(capacity: capacity)
      case .ended, .timedOut:
        self.reader = nil
        return nil
      }
    }
  }
}
