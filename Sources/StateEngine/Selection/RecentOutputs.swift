import ImmutableJSON

/// What a caller wrote to select an output: a name or an expression, as UTF-8.
package struct SelectorText {
  let text: UnsafeRawBufferPointer
  let isExpression: Bool

  /// Whether the caller needs the output as text.
  let isWriting: Bool

  package init(text: UnsafeRawBufferPointer, isExpression: Bool, isWriting: Bool) {
    self.text = text
    self.isExpression = isExpression
    self.isWriting = isWriting
  }
}

/// The outputs that were selected last without arguments, by what the caller wrote.
///
/// Programs select the same few outputs again and again. Finding one here takes no hashing and
/// creates no string; otherwise that would take most of the time of a cached select.
struct RecentOutputs {
  private struct Entry {
    let text: [UInt8]
    let isExpression: Bool

    /// Whether the cache has counted the size of the text of the output.
    let isWritten: Bool

    let version: Int
    let output: Output

    func isFor(_ selector: SelectorText) -> Bool {
      self.isExpression == selector.isExpression && self.text.hasSameBytes(as: selector.text)
    }
  }

  private static var capacity: Int { 8 }

  private var entries: [Entry] = []
  private var next = 0

  /// Finds an output for a version of the state.
  func find(_ selector: SelectorText, version: Int) -> Output? {
    self.entries.first {
      $0.version == version && (!selector.isWriting || $0.isWritten) && $0.isFor(selector)
    }?.output
  }

  /// Adds an output, in place of the oldest if there are too many.
  mutating func insert(_ output: Output, for selector: SelectorText, version: Int) {
    let entry = Entry(
      text: Array(selector.text), isExpression: selector.isExpression,
      isWritten: selector.isWriting, version: version, output: output)
    if let index = self.entries.firstIndex(where: { $0.isFor(selector) }) {
      self.entries[index] = entry
    } else if self.entries.count < Self.capacity {
      self.entries.append(entry)
    } else {
      self.entries[self.next] = entry
      self.next = (self.next + 1) % Self.capacity
    }
  }

  mutating func removeAll() {
    self.entries.removeAll(keepingCapacity: true)
    self.next = 0
  }
}
