extension String {
  /// Whether the text contains U+0000, which neither a key of a JSON value nor the text of a
  /// database may contain.
  package var containsNUL: Bool {
    self.utf8.contains(0)
  }

  /// The first `count` code points, with "…" if there are more. O(`count`).
  package func truncated(to count: Int) -> String {
    let start = String(self.unicodeScalars.prefix(count))
    return start.utf8.count == self.utf8.count ? start : start + "…"
  }
}
