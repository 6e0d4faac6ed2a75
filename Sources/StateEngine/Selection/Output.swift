import ImmutableJSON
import Threading

/// An output of a selector. Its text is created when it is first needed.
package final class Output: Sendable {
  package let value: Value
  private let written = Mutex<Text?>(nil)

  init(_ value: Value) {
    self.value = value
  }

  /// Canonical JSON.
  package var text: Text {
    self.write().text
  }

  /// Returns the text, and whether this call created it.
  func write() -> (text: Text, isNew: Bool) {
    self.written.withLock { text in
      if let text { return (text, false) }
      let new = Text.make(json: self.value)
      text = new
      return (new, true)
    }
  }
}
