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
    self.written.withLock { text in
      let written = text ?? Text.make(json: self.value)
      text = written
      return written
    }
  }
}
