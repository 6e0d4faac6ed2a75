import ImmutableJSON
import JSONSchema
import TestSupport
import Testing

@Suite struct PatternTests {
  private func matches(_ pattern: String, _ text: String) throws -> Bool {
    let schema = try CompiledSchema(["pattern": .string(pattern)])
    return (try? schema.check(.string(text))) != nil
  }

  @Test(arguments: [
    ("", "", true), ("a", "bab", true), ("^a", "ba", false), ("a$", "ab", false),
    ("a$", "a\n", false), ("^$", "", true), ("^(a|bc)+$", "abcbca", true),
    ("^(a|bc)+$", "abb", false), ("^a{2,3}$", "a", false), ("^a{2,3}$", "aaa", true),
    ("^a{2,3}$", "aaaa", false), ("^a{2}$", "aa", true), ("^a{2,}$", "aaaaa", true),
    ("^a*?b??$", "aab", true), ("^.$", "é", true), ("^.$", "😀", true), ("^..$", "e\u{301}", true),
    ("^.$", "\n", false), ("^[a-c]$", "b", true), ("^[^a-c]$", "b", false), ("^[^a-c]$", "é", true),
    ("^[-a]$", "-", true), ("^[a-]$", "-", true), (#"^[\]\\]+$"#, #"]\"#, true),
    (#"^\d+$"#, "12", true), (#"^\d+$"#, "١", false), (#"^\D$"#, "١", true),
    (#"^[\D1]$"#, "1", true), (#"^[\D1]$"#, "2", false), (#"^[^\D1]$"#, "2", true),
    (#"^\w\s\W$"#, "_\u{A0}-", true), (#"^\p{Lu}\p{L}*$"#, "Äpfel", true),
    (#"^\P{L}$"#, "a", false),
    (#"^[\p{Nd}\p{gc=Lu}]$"#, "١", true), (#"^\x41\u0042\u{43}\ud83d\ude00$"#, "ABC😀", true),
    (#"^\.\/\-\$$"#, "./-$", true), ("^(?:a)(?<n>b)(?P<m>c)$", "abc", true),
    ("(a*)*b", "aaab", true),
    ("(a*)*$", "b", true), ("a||b", "", true), ("(){9}a", "a", true), ("x^a", "xa", false),
  ])
  func matches(_ pattern: String, _ text: String, _ expected: Bool) throws {
    #expect(try self.matches(pattern, text) == expected)
  }

  @Test(arguments: [
    ("(", #"there is no ")" for a "(""#), (")", #"there is no "(" for a ")""#),
    ("[a", #"there is no "]" for a "[""#), ("[]", "a class between brackets is empty"),
    ("[b-a]", #"the range "b-a" is empty"#),
    (#"[\d-a]"#, "a range between brackets has a class at one end"),
    ("*", #"there is nothing to repeat before "*"; write "\*" for the character"#),
    ("a**", "two quantifiers follow each other; put the first into a group"),
    ("^*", "an anchor must not be repeated"), ("a{3,2}", "the count {3,2} is empty"),
    ("a{x}", #"a "{" begins a count such as {2,3}; write "\{" for the character"#),
    ("a{4097}", "a count is greater than 4096"),
    (#"(a)\1"#, #"the back-reference "\\1" is not supported"#),
    (#"\bx"#, #"the escape "\\b" is not supported"#),
    ("(?=a)", #"look-around, here "(?=", is not supported"#),
    ("(?<!a)", #"look-around, here "(?<!", is not supported"#),
    ("(?i)a", #"groups begin with "(", "(?:" or "(?<name>""#),
    ("\\", #"there is nothing after a "\""#),
    (
      #"\p{Greek}"#,
      #""\\p{Greek}" is not supported; "\p" takes a general category such as "\p{L}""#
    ),
    (#"\u{110000}"#, #"an escape of a code point looks like "\x41", "\u0041" or "\u{41}""#),
    (#"\ud83d"#, #"an escape of a code point looks like "\x41", "\u0041" or "\u{41}""#),
    ("(a{1000}){1000}", "the pattern takes more than 4096 states"),
    (String(repeating: "(", count: 40), "groups nest deeper than 32"),
  ])
  func refuses(_ pattern: String, _ reason: String) {
    #expect {
      try CompiledSchema(["pattern": .string(pattern)])
    } throws: {
      let expected = "schema/pattern: the pattern \(quoted(pattern)): \(reason)"
      return ($0 as? SchemaError)?.message("schema") == expected
    }
  }

  /// Patterns that take a backtracking matcher exponential time.
  @Test(arguments: ["^(a+)+$", "^(a|a)*$", "^(a|aa)+$", "^(.*)*x$"])
  func takesLinearTime(_ pattern: String) throws {
    #expect(try !self.matches(pattern, String(repeating: "a", count: 2_000) + "b"))
  }

  /// The cost of a match is charged, so that many states and a long text end.
  @Test func hasBudget() throws {
    let schema = try CompiledSchema(["pattern": "(a?){1000}b"])
    #expect {
      try schema.check(.string(String(repeating: "a", count: 2_000)), WorkBudget(100_000))
    } throws: {
      ($0 as? SchemaError)?.isLimit == true
    }
  }

  @Test(arguments: seeds(300))
  func matchesAsNaiveMatcher(_ seed: Int) throws {
    var generator = SeededGenerator(seed)
    let tree = PatternTree.random(3, &generator)
    for _ in 0..<8 {
      let text = (0..<Int.random(in: 0...6, using: &generator)).map { _ in
        PatternTree.letters.randomElement(using: &generator) ?? "a"
      }
      let expected = tree.isFound(in: text)
      #expect(try self.matches(tree.text, String(text)) == expected, "\(tree.text) \(text)")
    }
  }
}

/// A pattern whose matches are found by trying everything.
private indirect enum PatternTree {
  case letter(Character)
  case letters(Set<Character>, isNegated: Bool)
  case any
  case start
  case end
  case sequence([PatternTree])
  case choice([PatternTree])
  case repeated(PatternTree, Int, Int?)

  static let letters: [Character] = ["a", "b", "é", "\n"]

  static func random(_ depth: Int, _ generator: inout SeededGenerator) -> PatternTree {
    let letter = Self.letters.randomElement(using: &generator) ?? "a"
    switch Int.random(in: 0..<(depth > 0 ? 12 : 6), using: &generator) {
    case 0...2: return .letter(letter)
    case 3:
      let other = Self.letters.randomElement(using: &generator) ?? "a"
      return .letters([letter, other], isNegated: generator.isOne(in: 2))
    case 4: return .any
    case 5: return generator.isOne(in: 2) ? .start : .end
    case 6...8: return .sequence(Self.several(depth, &generator))
    case 9: return .choice(Self.several(depth, &generator))
    default:
      let min = Int.random(in: 0...2, using: &generator)
      let max = generator.isOne(in: 2) ? nil : Int.random(in: min...3, using: &generator)
      return .repeated(.random(depth - 1, &generator), min, max)
    }
  }

  private static func several(
    _ depth: Int, _ generator: inout SeededGenerator
  ) -> [PatternTree] {
    (0..<Int.random(in: 0...3, using: &generator)).map { _ in .random(depth - 1, &generator) }
  }

  var text: String {
    switch self {
    case .letter(let letter): return String(letter)
    case .letters(let letters, let isNegated):
      return "[\(isNegated ? "^" : "")\(String(letters.sorted()))]"
    case .any: return "."
    case .start: return "^"
    case .end: return "$"
    case .sequence(let parts): return parts.map { "(?:\($0.text))" }.joined()
    case .choice(let parts): return parts.map(\.text).joined(separator: "|")
    case .repeated(let part, let min, let max):
      let count = min == 0 && max == nil ? "*" : "{\(min),\(max.map(String.init) ?? "")}"
      return "(?:\(part.text))\(count)"
    }
  }

  func isFound(in text: [Character]) -> Bool {
    (0...text.count).contains { !self.ends([$0], text).isEmpty }
  }

  /// Where matches end that begin at some positions.
  private func ends(_ starts: Set<Int>, _ text: [Character]) -> Set<Int> {
    switch self {
    case .letter(let letter): return self.advance(starts, text) { $0 == letter }
    case .letters(let letters, let isNegated):
      return self.advance(starts, text) { letters.contains($0) != isNegated }
    case .any: return self.advance(starts, text) { $0 != "\n" }
    case .start: return starts.filter { $0 == 0 }
    case .end: return starts.filter { $0 == text.count }
    case .sequence(let parts): return parts.reduce(starts) { $1.ends($0, text) }
    case .choice(let parts):
      // Without parts, it is written as nothing.
      return parts.isEmpty ? starts : parts.reduce(into: []) { $0.formUnion($1.ends(starts, text)) }
    case .repeated(let part, let min, let max):
      var (ends, current) = (min == 0 ? starts : [], starts)
      // More repetitions than characters find nothing new.
      for count in 1...Swift.max(min, max ?? 0, text.count + 1)
      where max.map({ count <= $0 }) ?? true {
        current = part.ends(current, text)
        if count >= min { ends.formUnion(current) }
      }
      return ends
    }
  }

  private func advance(
    _ starts: Set<Int>, _ text: [Character], _ isTaken: (Character) -> Bool
  ) -> Set<Int> {
    Set(starts.filter { $0 < text.count && isTaken(text[$0]) }.map { $0 + 1 })
  }
}
