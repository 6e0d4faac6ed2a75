import ImmutableJSON

/// An output of a selector, and its text if a caller needed it. Immutable.
package final class CachedOutput: @unchecked Sendable {
  package let value: Value
  let writtenText: Text?
  private let ranges: TextRanges?

  /// The bytes of the text, if it is short. To read them counts no references.
  private let shortText: UnsafeRawBufferPointer?

  /// The estimated memory of the output and its arguments.
  let bytes: Int

  private init(
    _ value: Value, isWriting: Bool, after earlier: CachedOutput?, bytesBesideText: Int
  ) {
    self.value = value
    (self.writtenText, self.ranges) = isWriting ? Self.write(value, after: earlier) : (nil, nil)
    self.shortText = self.writtenText.flatMap { $0.count <= 512 ? $0.bytes : nil }
    self.bytes = bytesBesideText + (self.writtenText?.count ?? 0)
  }

  /// - Parameter earlier: The output for an earlier state.
  convenience init(
    _ value: Value, of selector: BoundSelector, isWriting: Bool, after earlier: CachedOutput?
  ) {
    var bytes = value.estimatedMemory + selector.arguments.estimatedMemory
    // What was compiled takes about twice as much as the text; a name has no memory of its own.
    if case .expression(let expression, _, _) = selector {
      bytes += 3 * expression.text.utf8.count
    }
    self.init(value, isWriting: isWriting, after: earlier, bytesBesideText: bytes)
  }

  /// Returns the output with its text.
  func written() -> CachedOutput {
    guard !self.isWritten else { return self }
    return CachedOutput(self.value, isWriting: true, after: nil, bytesBesideText: self.bytes)
  }

  /// If an earlier output has a text, the text of what both outputs share is copied from there.
  private static func write(
    _ value: Value, after earlier: CachedOutput?
  ) -> (text: Text, ranges: TextRanges?) {
    // A short text is written faster than its parts are found.
    guard value.textSizeBound > 1024 else { return (Text.make(json: value), nil) }
    let earlier: (Text, TextRanges)? =
      if let text = earlier?.writtenText, let ranges = earlier?.ranges { (text, ranges) } else {
        nil
      }
    return Text.make(json: value, after: earlier)
  }
}

extension CachedOutput {
  /// Canonical JSON.
  package var text: Text {
    self.writtenText ?? Text.make(json: self.value)
  }

  /// A copy of the text, if there is one that is short.
  func shortCopy() -> OwnedText? {
    self.shortText.map { OwnedText(start: Text.copy($0), count: $0.count) }
  }

  var isWritten: Bool {
    self.writtenText != nil
  }
}
