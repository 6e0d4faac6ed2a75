extension String {
  /// Whether the text contains U+0000, which neither a key of a JSON value nor the text of a
  /// database may contain.
  package var containsNUL: Bool {
    self.utf8.contains(0)
  }
}
