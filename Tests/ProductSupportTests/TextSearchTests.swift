import TestSupport
import Testing

@testable import ProductSupport

@Suite struct TextSearchTests {
  /// Whether a text is found ignoring case, and ignoring case and marks.
  @Test(arguments: [
    ("", "", true, true),
    ("", "Donut", true, true),
    ("donut", "", false, false),
    ("donut", "The DONUTS", true, true),
    ("donuts", "donut", false, false),
    ("aab", "aaab", true, true),
    ("abcabd", "abcabcabd", true, true),
    (" ", "a b", true, true),
    ("a b", "ab", false, false),
    ("ORDER#12", "Order#1203", true, true),
    // German: ß is ss.
    ("strasse", "Straße", true, true),
    ("STRAẞE", "strasse", true, true),
    ("ß", "s", false, false),
    ("s", "ß", true, true),
    ("Ä", "ä", true, true),
    ("a", "ä", false, true),
    ("ä", "a", false, true),
    ("ae", "ä", false, false),
    // One character or two.
    ("cafe\u{301}", "CAFÉ", true, true),
    ("café", "CAFE\u{301}", true, true),
    ("cafe", "café", false, true),
    ("cafe", "cafe\u{301}s", false, true),
    ("cafe\u{301}", "cafe\u{301}\u{323}", false, true),
    ("\u{301}", "e\u{301}", true, true),
    // The order of marks matters only within one combining class.
    ("q\u{307}\u{323}", "q\u{323}\u{307}", true, true),
    ("a\u{301}\u{308}", "a\u{308}\u{301}", false, true),
    ("ǟ", "a\u{308}\u{304}", true, true),
    // Greek: the final sigma, and the iota below.
    ("ΟΔΟΣ", "οδος", true, true),
    ("ς", "σ", true, true),
    ("ᾳ", "ΑΙ", true, true),
    ("\u{1FB4}", "α\u{345}\u{301}", true, true),
    ("αθηνα", "Αθήνα", false, true),
    // Turkish: the language is unknown, so I is an i.
    ("I", "i", true, true),
    ("ı", "I", false, false),
    ("ı", "ı", true, true),
    ("İ", "i", false, true),
    ("i", "İ", false, true),
    ("İ", "i\u{307}", true, true),
    // Cyrillic and Cherokee.
    ("ПИРОЖОК", "пирожок", true, true),
    ("и", "й", false, true),
    ("Ꭰ", "ꭰ", true, true),
    // Japanese marks make other letters. An Indian vowel sign is a character after its letter.
    ("か", "が", false, false),
    ("が", "か\u{3099}", true, true),
    ("क", "कि", true, true),
    // Hangul: one syllable, or its letters.
    ("한", "\u{1112}\u{1161}\u{11AB}", true, true),
    ("\u{1112}\u{1161}", "하", true, true),
    ("하", "한글", true, true),
    ("갛", "한글", false, false),
    // Signs that are other characters, and ligatures.
    ("\u{212A}", "k", true, true),
    ("Å", "\u{212B}", true, true),
    ("ﬁ", "FIX", true, true),
    ("ø", "o", false, false),
    ("🍩", "a 🍩", true, true),
    ("👩", "👩‍🍳", true, true),
  ])
  func textIsFound(_ needle: String, _ text: String, _ withMarks: Bool, _ withoutMarks: Bool) {
    #expect(TextSearch(needle, .ignoringCase).matches(text) == withMarks)
    #expect(TextSearch(needle, .ignoringCaseAndMarks).matches(text) == withoutMarks)
  }

  @Test func searchesAreThoseOfANaiveSearch() {
    var generator = SeededGenerator(1)
    for _ in 0..<5_000 {
      let letters = (0..<12).map { _ in "ab".randomElement(using: &generator)! }
      let needle = (0..<Int.random(in: 0...6, using: &generator)).map { _ in
        "ab".randomElement(using: &generator)!
      }
      let isFound =
        needle.isEmpty
        || letters.indices.contains { letters[$0...].starts(with: needle) }
      for suffix in ["", "é"] {
        #expect(
          TextSearch(String(needle), .ignoringCase).matches(String(letters) + suffix) == isFound)
      }
    }
  }

  /// A search that began anew after each mismatch would need 10¹⁰ steps.
  @Test func noTextMakesASearchSlow() {
    let text = String(repeating: "a", count: 200_000)
    let needle = String(repeating: "a", count: 100_000) + "b"
    #expect(!TextSearch(needle, .ignoringCase).matches(text))
    let marks = "e" + String(repeating: "\u{301}\u{323}", count: 50_000)
    #expect(TextSearch(marks, .ignoringCase).matches(marks))
  }
}
