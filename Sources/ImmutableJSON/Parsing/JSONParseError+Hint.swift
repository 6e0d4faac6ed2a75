extension UnsafeRawBufferPointer {
  /// What to change in text that is JavaScript or Python, but not JSON, or that lacks a comma.
  func hint(at token: Int, _ context: JSONParser.Context) -> String {
    guard token < self.count else { return "" }
    let byte = self[token]
    switch context {
    case _ where byte == UInt8(ascii: "'"):
      return "; put strings in double quotes"
    case .element where byte == UInt8(ascii: "]"), .key where byte == UInt8(ascii: "}"):
      return "; remove the last comma"
    case .firstKey where byte.isPartOfWord, .key where byte.isPartOfWord:
      return "; put keys in double quotes"
    case .top, .firstElement, .element, .member:
      return self.literal(at: token).map { "; write \($0)" } ?? ""
    case .elementEnd where self.isElement(at: token), .memberEnd where self.isKey(at: token):
      return "; put a comma before it"
    default:
      return ""
    }
  }

  /// JSON's literal for a value that is a literal of another language.
  private func literal(at token: Int) -> String? {
    let end = self[token...].firstIndex { !$0.isPartOfWord } ?? self.count
    // Otherwise the word begins a longer text, such as a sentence.
    guard end - token < 10, [nil, ",", "]", "}"].contains(self.next(from: end)) else { return nil }
    switch String(decoding: self[token..<end], as: UTF8.self).lowercased() {
    case "true": return "true"
    case "false": return "false"
    case "null", "none", "nil", "nan", "undefined": return "null"
    default: return nil
    }
  }

  /// Whether a token after an element begins another element. It may also be a part of the first
  /// one (`["say "hi""]`, `[2025-01-01]`), or a key after an array that is not closed.
  private func isElement(at token: Int) -> Bool {
    let previous = token > 0 ? self[token - 1] : 0
    let isAdjacent = previous.isPartOfWord || previous == UInt8(ascii: "\"")
    switch Unicode.Scalar(self[token]) {
    case "{", "[":
      return true
    case "\"" where !isAdjacent:
      guard let end = self.endOfString(from: token) else { return false }
      return self.next(from: end + 1) != ":"
    case "-", "0"..."9":
      return !isAdjacent
    default:
      return false
    }
  }

  /// Whether a token after a member is the key of another member.
  private func isKey(at token: Int) -> Bool {
    guard self[token] == UInt8(ascii: "\""), let end = self.endOfString(from: token) else {
      return false
    }
    return self.next(from: end + 1) == ":"
  }

  /// The first character that is not white space.
  private func next(from offset: Int) -> Unicode.Scalar? {
    self[offset...].first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }.map { Unicode.Scalar($0) }
  }

  /// The offset of the closing quote of a string.
  ///
  /// - Parameter token: The offset of the opening quote.
  func endOfString(from token: Int) -> Int? {
    var end = token + 1
    while end < self.count, self[end] != UInt8(ascii: "\"") {
      end += self[end] == UInt8(ascii: "\\") ? 2 : 1
    }
    return end < self.count ? end : nil
  }
}

extension UInt8 {
  /// Whether this is a character of a number or an unquoted word.
  var isPartOfWord: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): true
    default: false
    }
  }
}
