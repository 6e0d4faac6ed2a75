import ImmutableJSON

extension String {
  /// Whether the bytes of another text stand in this one. O(n).
  func contains(bytesOf other: String) -> Bool {
    var text = self
    let search = ByteSearch(other.utf8)
    return text.withUTF8 { search.end(in: $0) != nil }
  }
}
