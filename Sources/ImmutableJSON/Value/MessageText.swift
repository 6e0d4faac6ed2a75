// The parts of error messages.

/// A count with its noun: `1 value`, `2 values`.
package func counted(_ count: Int, _ noun: String) -> String {
  "\(count) \(noun)\(count == 1 ? "" : "s")"
}

/// A caller's text as a JSON string, truncated if it is long.
package func quoted(_ text: String) -> String {
  let limit = 48
  let start = text.unicodeScalars.prefix(limit)
  let isTruncated = start.endIndex != text.unicodeScalars.endIndex
  return Value.string(String(start) + (isTruncated ? "…" : "")).json
}
