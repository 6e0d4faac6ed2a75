// The parts of error messages.

/// A count with its noun: `1 value`, `2 values`.
package func counted(_ count: Int, _ noun: String) -> String {
  "\(count) \(noun)\(count == 1 ? "" : "s")"
}

/// A caller's text as a JSON string, truncated if it is long. Characters that are not printable are
/// escaped.
package func quoted(_ text: String) -> String {
  let limit = 48
  var shown = ""
  for scalar in text.unicodeScalars {
    let next = scalar.escaped
    guard shown.utf8.count + next.utf8.count <= limit else { return "\"\(shown)…\"" }
    shown += next
  }
  return "\"\(shown)\""
}

/// A path in a message: a long one without its middle, so that there is room for what is wrong.
package func shortened(path: String) -> String {
  let scalars = path.unicodeScalars.map { $0.isPrintable ? String($0) : $0.escaped }
  guard scalars.reduce(0, { $0 + $1.utf8.count }) > 120 else { return scalars.joined() }
  func prefix(_ scalars: some Sequence<String>, _ limit: Int) -> [String] {
    var count = 0
    return Array(
      scalars.prefix {
        count += $0.utf8.count
        return count <= limit
      })
  }
  return (prefix(scalars, 56) + ["…"] + prefix(scalars.reversed(), 60).reversed()).joined()
}

extension Unicode.Scalar {
  /// Whether this is not a control character, a byte order mark, or a character that ends the line
  /// or changes the direction of the text.
  package var isPrintable: Bool {
    switch self.value {
    case ..<0x20, 0x7F...0x9F, 0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF:
      false
    default:
      true
    }
  }

  /// This character in a JSON string.
  fileprivate var escaped: String {
    if self == "\"" || self == "\\" || self.value < 0x20 {
      return String(Value.string(String(self)).json.dropFirst().dropLast())
    }
    guard !self.isPrintable else { return String(self) }
    let digits = String(self.value, radix: 16)
    return "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)"
  }
}
