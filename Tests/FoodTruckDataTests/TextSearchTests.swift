import TestSupport
import Testing

@testable import FoodTruckData

@Suite struct TextSearchTests {
  /// Whether a text is found in another.
  @Test(arguments: [
    ("", "", true),
    ("", "Donut", true),
    ("donut", "", false),
    ("donut", "The DONUTS", true),
    ("donuts", "donut", false),
    ("aab", "aaab", true),
    ("abcabd", "abcabcabd", true),
    (" ", "a b", true),
    ("a b", "ab", false),
    ("ORDER#12", "Order#1203", true),
    // German: ß is ss.
    ("strasse", "Straße", true),
    ("STRAẞE", "strasse", true),
    ("ß", "s", false),
    ("s", "ß", true),
    ("Ä", "ä", true),
    ("a", "ä", false),
    ("ä", "a", false),
    ("ae", "ä", false),
    // One character or two.
    ("cafe\u{301}", "CAFÉ", true),
    ("café", "CAFE\u{301}", true),
    ("cafe", "café", false),
    ("cafe", "cafe\u{301}s", false),
    ("cafe\u{301}", "cafe\u{301}\u{323}", false),
    ("\u{301}", "e\u{301}", true),
    // The order of marks matters only within one combining class.
    ("q\u{307}\u{323}", "q\u{323}\u{307}", true),
    ("a\u{301}\u{308}", "a\u{308}\u{301}", false),
    ("ǟ", "a\u{308}\u{304}", true),
    // Greek: the final sigma, and the iota below.
    ("ΟΔΟΣ", "οδος", true),
    ("ς", "σ", true),
    ("ᾳ", "ΑΙ", true),
    ("\u{1FB4}", "α\u{345}\u{301}", true),
    ("αθηνα", "Αθήνα", false),
    // Turkish: the language is unknown, so I is an i.
    ("I", "i", true),
    ("ı", "I", false),
    ("ı", "ı", true),
    ("İ", "i", false),
    ("i", "İ", false),
    ("İ", "i\u{307}", true),
    // Cyrillic and Cherokee.
    ("ПИРОЖОК", "пирожок", true),
    ("и", "й", false),
    ("Ꭰ", "ꭰ", true),
    // Japanese marks make other letters. An Indian vowel sign is a character after its letter.
    ("か", "が", false),
    ("が", "か\u{3099}", true),
    ("क", "कि", true),
    // Hangul: one syllable, or its letters.
    ("한", "\u{1112}\u{1161}\u{11AB}", true),
    ("\u{1112}\u{1161}", "하", true),
    ("하", "한글", true),
    ("갛", "한글", false),
    // Signs that are other characters, and ligatures.
    ("\u{212A}", "k", true),
    ("Å", "\u{212B}", true),
    ("ﬁ", "FIX", true),
    ("ø", "o", false),
    ("🍩", "a 🍩", true),
    ("👩", "👩‍🍳", true),
  ])
  func textIsFound(_ needle: String, _ text: String, _ isFound: Bool) {
    #expect(TextSearch(needle).matches(text) == isFound)
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
        #expect(TextSearch(String(needle)).matches(String(letters) + suffix) == isFound)
      }
    }
  }

  /// A search that began anew after each mismatch would need 10¹⁰ steps.
  @Test func noTextMakesASearchSlow() {
    let text = String(repeating: "a", count: 200_000)
    let needle = String(repeating: "a", count: 100_000) + "b"
    #expect(!TextSearch(needle).matches(text))
    let marks = "e" + String(repeating: "\u{301}\u{323}", count: 50_000)
    #expect(TextSearch(marks).matches(marks))
  }
}
