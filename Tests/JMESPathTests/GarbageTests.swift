import ImmutableJSON
import JMESPath
import TestSupport
import Testing

/// Any text has a result, or an error that says where and why. None crashes.
@Suite struct GarbageTests {
  private static let words = [
    "a", "b.", "*", "[", "]", "[]", "[?", "{", "}", "(", ")", ",", ":", "|", "||", "&", "&&", "@",
    "!", "!=", "=", "==", "<", "<=", "1", "-1", "-", "$x", "$", "let ", "in ", "'", "`", "\"", "\\",
    "'a'", "`1`", "\"a\"", "abs(", "sort_by(", "é", "\u{0}", "\n", " ", "👨‍👩‍👧", "#",
    "9223372036854775808",
  ]

  private func run(_ text: String, on value: Value) {
    do throws(JMESPathError) {
      let expression = try Expression(text)
      _ = try expression.evaluate(value)
    } catch {
      #expect(error.position <= text.unicodeScalars.count)
      #expect(!error.message.isEmpty)
      #expect(error.excerpt.hasSuffix("^"))
    }
  }

  @Test(arguments: seeds(2))
  func sequences(_ seed: Int) {
    var generator = Generator(seed: seed)
    for _ in 0..<2000 {
      let count = Int.random(in: 0...12, using: &generator.random)
      let text = (0..<count).map { _ in generator.choose(Self.words, else: "") }.joined()
      self.run(text, on: generator.value())
    }
  }

  /// Expressions with characters removed, inserted and replaced.
  @Test(arguments: seeds(2))
  func mutations(_ seed: Int) {
    var generator = Generator(seed: seed)
    for _ in 0..<1000 {
      var text = Array(generator.expression().unicodeScalars)
      for _ in 0..<Int.random(in: 1...3, using: &generator.random) {
        let index = Int.random(in: 0...text.count, using: &generator.random)
        let end = min(text.count, index + Int.random(in: 0...2, using: &generator.random))
        text.replaceSubrange(
          index..<end, with: generator.choose(Self.words, else: "").unicodeScalars)
      }
      self.run(String(String.UnicodeScalarView(text)), on: generator.value())
    }
  }

  /// 64 KiB of each word.
  @Test func repetitions() {
    for word in Self.words {
      self.run(String(repeating: word, count: (1 << 16) / word.utf8.count), on: ["a": [1]])
    }
  }
}
