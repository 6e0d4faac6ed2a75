/// What a search for text ignores.
package enum TextFolding: Hashable, Sendable {
  /// Upper and lower case: `STRASSE` and `Straße` are equal.
  case ignoringCase
  /// Case, and the accents and other marks of Latin, Greek and Cyrillic letters: also `cafe` and
  /// `Café`.
  case ignoringCaseAndMarks
}

extension TextFolding {
  /// The folded form of a text. Two texts are equal in a search if their folded forms are.
  ///
  /// This is canonical caseless matching (The Unicode Standard, section 3.13, D145): canonically
  /// equivalent texts, such as `é` as one character or two, have the same form. Independent of the
  /// language: I equals i, İ equals i with U+0307, and the Turkish ı equals neither.
  func folded(_ text: String) -> [Unicode.Scalar] {
    var decomposed: [Unicode.Scalar] = []
    for scalar in text.unicodeScalars {
      decomposed.appendDecomposition(of: scalar)
    }
    decomposed.sortMarks()
    var folded: [Unicode.Scalar] = []
    for scalar in decomposed {
      if scalar.isASCII {
        folded.append(scalar.lowercasedASCII)
      } else {
        for scalar in scalar.caseFolded.unicodeScalars {
          folded.appendDecomposition(of: scalar)
        }
      }
    }
    if self == .ignoringCaseAndMarks { folded.removeAll(where: \.isAccent) }
    folded.sortMarks()
    return folded
  }
}

extension Unicode.Scalar {
  /// This ASCII character in lower case.
  fileprivate var lowercasedASCII: Unicode.Scalar {
    "A"..."Z" ~= self ? Unicode.Scalar(UInt8(ascii: self) | 0x20) : self
  }

  /// The full case folding of this character.
  ///
  /// Unicode's folding of c is lowercase(uppercase(lowercase(c))), with two exceptions: it keeps
  /// the Turkish ı, and the upper case of Cherokee, which makes no difference here.
  fileprivate var caseFolded: String {
    if self == "ı" { return "ı" }
    let lower = self.properties.lowercaseMapping
    let upper = lower.unicodeScalars.map(\.properties.uppercaseMapping).joined()
    return upper.unicodeScalars.map(\.properties.lowercaseMapping).joined()
  }

  /// Whether this is a mark from one of Unicode's blocks of combining diacritical marks.
  fileprivate var isAccent: Bool {
    switch self.value {
    case 0x300...0x36F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F: true
    default: false
    }
  }
}
