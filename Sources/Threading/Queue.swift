/// A first-in, first-out queue. Its operations are O(1) amortized.
///
/// Inlinable, as ``Mutex`` is: unspecialized code looks up generic types at run time.
public struct Queue<Element> {
  /// In reverse order: the oldest element is last.
  @usableFromInline var outgoing: [Element] = []
  @usableFromInline var incoming: [Element] = []

  @inlinable
  public init() {}
}

extension Queue: Sendable where Element: Sendable {}

extension Queue {
  @inlinable
  public var count: Int {
    self.outgoing.count + self.incoming.count
  }

  @inlinable
  public var isEmpty: Bool {
    self.outgoing.isEmpty && self.incoming.isEmpty
  }

  /// The oldest element.
  @inlinable
  public var first: Element? {
    self.outgoing.last ?? self.incoming.first
  }

  @inlinable
  public mutating func append(_ element: Element) {
    self.incoming.append(element)
  }

  /// Removes and returns the oldest element.
  @inlinable
  public mutating func popFirst() -> Element? {
    if self.outgoing.isEmpty {
      guard self.incoming.count > 1 else { return self.incoming.popLast() }
      self.outgoing = self.incoming.reversed()
      self.incoming = []
    }
    return self.outgoing.popLast()
  }
}
