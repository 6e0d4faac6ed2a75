import Threading

/// Records elements in order, from any thread.
package final class Recorder<Element: Sendable>: Sendable {
  private let elements = Mutex<[Element]>([])
  private let hasAppended = Condition()

  package init() {}

  package func append(_ element: Element) {
    self.elements.withLock { $0.append(element) }
    self.hasAppended.broadcast()
  }

  package var all: [Element] {
    self.elements.withLock { $0 }
  }

  /// Waits until there are this many elements.
  package func wait(for count: Int) {
    self.elements.wait(for: self.hasAppended) { $0.count >= count }
  }

  /// Waits for the first element.
  package func first() -> Element? {
    self.wait(for: 1)
    return self.all.first
  }
}
