import ImmutableJSON
import Threading

/// An output of a selector, and its text from when that is first wanted.
final class Output: Sendable {
  let value: Value
  private let written = Mutex<Text?>(nil)

  init(_ value: Value) {
    self.value = value
  }

  /// Canonical JSON.
  var text: Text {
    self.write().text
  }

  /// The text, and whether this call has made it.
  func write() -> (text: Text, isNew: Bool) {
    self.written.withLock { text in
      if let text { return (text, false) }
      let new = Text.make(json: self.value)
      text = new
      return (new, true)
    }
  }
}
