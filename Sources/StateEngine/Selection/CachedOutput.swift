import ImmutableJSON
import Threading

/// An output of a selector. Its text is created when it is first needed.
package final class CachedOutput: Sendable {
  package let value: Value
  private let written = Mutex(Written())

  private struct Written {
    var text: Text?
    var ranges: TextRanges?
  }

  init(_ value: Value) {
    self.value = value
  }

  /// Canonical JSON.
  package var text: Text {
    self.write().text
  }

  /// Returns the text, and whether this call created it.
  ///
  /// - Parameter earlier: The output for an earlier state. If it has a text, the text of what both
  ///   outputs share is copied from there.
  func write(after earlier: CachedOutput? = nil) -> (text: Text, isNew: Bool) {
    let earlier = earlier?.written.withLock { written in
      if let text = written.text, let ranges = written.ranges { (text, ranges) } else { nil }
    }
    return self.written.withLock { written in
      if let text = written.text { return (text, false) }
      let (text, ranges) = Text.make(json: self.value, after: earlier)
      written = Written(text: text, ranges: ranges)
      return (text, true)
    }
  }
}
