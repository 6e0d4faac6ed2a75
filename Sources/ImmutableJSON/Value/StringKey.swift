/// A string as a key of a Swift collection, compared by its bytes, as the keys of an object are.
///
/// A `String` would not do as a key of what comes from outside: U+00E9 and U+0065 U+0301 are equal
/// strings with different bytes.
package struct StringKey: Hashable, Comparable, Sendable {
  package let text: String

  package init(_ text: String) {
    self.text = text
  }

  package static func == (left: StringKey, right: StringKey) -> Bool {
    left.text.hasSameBytes(as: right.text)
  }

  package func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
    // Unlike `withUTF8`, this does not copy the string.
    let result = self.text.utf8.withContiguousStorageIfAvailable {
      UnsafeRawBufferPointer($0).hasSameBytes(as: other)
    }
    return result ?? self.text.utf8.elementsEqual(other)
  }

  package static func < (left: StringKey, right: StringKey) -> Bool {
    left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    var text = self.text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(0xFF as UInt8)
  }
}
