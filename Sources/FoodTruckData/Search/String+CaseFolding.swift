extension String {
  /// The case-folded form of this text: `STRASSE` and `Straße` have the same one.
  ///
  /// Two texts are equal in a search if their forms are. This is canonical caseless matching (The
  /// Unicode Standard, section 3.13, D145): canonically equivalent texts, such as `é` as one
  /// character or two, have the same form. Independent of the language: I equals i, İ equals i with
  /// U+0307, and the Turkish ı equals neither.
  var caseFolded: [Unicode.Scalar] {
    var decomposed: [Unicode.Scalar] = []
    for scalar in self.unicodeScalars {
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
}
