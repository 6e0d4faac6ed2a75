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

  /// Waits for the first element.
  package func first() -> Element? {
    self.elements.wait(for: self.hasAppended) { !$0.isEmpty }
    return self.all.first
  }
}
