// The names of Unicode's general categories, for `\p{…}`.

extension Set<Unicode.GeneralCategory> {
  /// The categories with a name, short or long: `Lu`, `L`, `Letter`.
  init?(named name: String) {
    guard let (_, _, categories) = names.first(where: { $0.0 == name || $0.1 == name }) else {
      return nil
    }
    self = Set(categories)
  }
}

private let groups: [(String, String, [Unicode.GeneralCategory])] = [
  (
    "L", "Letter",
    [.uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter]
  ),
  ("LC", "Cased_Letter", [.uppercaseLetter, .lowercaseLetter, .titlecaseLetter]),
  ("M", "Mark", [.nonspacingMark, .spacingMark, .enclosingMark]),
  ("N", "Number", [.decimalNumber, .letterNumber, .otherNumber]),
  (
    "P", "Punctuation",
    [
      .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation,
      .initialPunctuation, .finalPunctuation, .otherPunctuation,
    ]
  ),
  ("S", "Symbol", [.mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol]),
  ("Z", "Separator", [.spaceSeparator, .lineSeparator, .paragraphSeparator]),
  ("C", "Other", [.control, .format, .surrogate, .privateUse, .unassigned]),
]

private let single: [(String, String, [Unicode.GeneralCategory])] = [
  ("Lu", "Uppercase_Letter", [.uppercaseLetter]), ("Ll", "Lowercase_Letter", [.lowercaseLetter]),
  ("Lt", "Titlecase_Letter", [.titlecaseLetter]), ("Lm", "Modifier_Letter", [.modifierLetter]),
  ("Lo", "Other_Letter", [.otherLetter]), ("Mn", "Nonspacing_Mark", [.nonspacingMark]),
  ("Mc", "Spacing_Mark", [.spacingMark]), ("Me", "Enclosing_Mark", [.enclosingMark]),
  ("Nd", "Decimal_Number", [.decimalNumber]), ("Nl", "Letter_Number", [.letterNumber]),
  ("No", "Other_Number", [.otherNumber]), ("Pc", "Connector_Punctuation", [.connectorPunctuation]),
  ("Pd", "Dash_Punctuation", [.dashPunctuation]), ("Ps", "Open_Punctuation", [.openPunctuation]),
  ("Pe", "Close_Punctuation", [.closePunctuation]),
  ("Pi", "Initial_Punctuation", [.initialPunctuation]),
  ("Pf", "Final_Punctuation", [.finalPunctuation]),
  ("Po", "Other_Punctuation", [.otherPunctuation]), ("Sm", "Math_Symbol", [.mathSymbol]),
  ("Sc", "Currency_Symbol", [.currencySymbol]), ("Sk", "Modifier_Symbol", [.modifierSymbol]),
  ("So", "Other_Symbol", [.otherSymbol]), ("Zs", "Space_Separator", [.spaceSeparator]),
  ("Zl", "Line_Separator", [.lineSeparator]), ("Zp", "Paragraph_Separator", [.paragraphSeparator]),
  ("Cc", "Control", [.control]), ("Cf", "Format", [.format]), ("Cs", "Surrogate", [.surrogate]),
  ("Co", "Private_Use", [.privateUse]), ("Cn", "Unassigned", [.unassigned]),
]

private let names = groups + single
