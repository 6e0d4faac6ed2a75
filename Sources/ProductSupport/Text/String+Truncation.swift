extension String {
  /// The first `count` code points, with "…" if there are more. O(`count`).
  package func truncated(to count: Int) -> String {
    let start = String(self.unicodeScalars.prefix(count))
    return start.utf8.count == self.utf8.count ? start : start + "…"
  }
}
