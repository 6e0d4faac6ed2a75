import ImmutableJSON

extension String {
  /// Whether this string contains the bytes of another. O(n).
  func contains(bytesOf other: String) -> Bool {
    var text = self
    let search = ByteSearch(other.utf8)
    return text.withUTF8 { search.end(in: $0) != nil }
  }
}
