/// A caller's text as messages show it: escaped as JSON, and cut where it is long.
package func quoted(_ text: String) -> String {
  let limit = 48
  let start = text.unicodeScalars.prefix(limit)
  let isCut = start.endIndex != text.unicodeScalars.endIndex
  return Value.string(String(start) + (isCut ? "…" : "")).json
}
