/// First in, first out; each in O(1) amortised.
package struct Queue<Element> {
  /// The oldest last, so that they leave from the end.
  private var leaving: [Element] = []
  private var entering: [Element] = []

  package init() {}
}

extension Queue: Sendable where Element: Sendable {}

extension Queue {
  package var count: Int {
    self.leaving.count + self.entering.count
  }

  package var isEmpty: Bool {
    self.leaving.isEmpty && self.entering.isEmpty
  }

  /// The oldest.
  package var first: Element? {
    self.leaving.last ?? self.entering.first
  }

  package mutating func append(_ element: Element) {
    self.entering.append(element)
  }

  /// Takes out the oldest.
  package mutating func popFirst() -> Element? {
    if self.leaving.isEmpty {
      self.leaving = self.entering.reversed()
      self.entering = []
    }
    return self.leaving.popLast()
  }
}
