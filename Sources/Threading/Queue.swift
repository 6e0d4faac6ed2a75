/// A first-in, first-out queue. Its operations are O(1) amortized.
///
/// Specialized for the elements that each dispatch adds: unspecialized code looks up generic types at
/// run time.
package struct Queue<Element> {
  /// In reverse order: the oldest element is last.
  private var outgoing: [Element] = []
  private var incoming: [Element] = []

  package init() {}
}

extension Queue: Sendable where Element: Sendable {}

extension Queue {
  package var count: Int {
    self.outgoing.count + self.incoming.count
  }

  package var isEmpty: Bool {
    self.outgoing.isEmpty && self.incoming.isEmpty
  }

  /// The oldest element.
  package var first: Element? {
    self.outgoing.last ?? self.incoming.first
  }

  @specialized(where Element == any AnyObject & Sendable)
  package mutating func append(_ element: Element) {
    self.incoming.append(element)
  }

  /// Removes and returns the oldest element.
  @specialized(where Element == any AnyObject & Sendable)
  package mutating func popFirst() -> Element? {
    if self.outgoing.isEmpty {
      guard self.incoming.count > 1 else { return self.incoming.popLast() }
      self.outgoing = self.incoming.reversed()
      self.incoming = []
    }
    return self.outgoing.popLast()
  }
}
