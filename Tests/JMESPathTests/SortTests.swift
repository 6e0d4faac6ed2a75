import ImmutableJSON
import Testing

@testable import JMESPath

/// Sorting many elements with many equal keys.
@Suite struct SortTests {
  /// The indexes of the keys in order; those of equal keys in ascending order.
  private func sorted<Key>(_ keys: [Key], _ precedes: (Key, Key) -> Bool) -> [Int] {
    keys.indices.sorted {
      precedes(keys[$0], keys[$1]) || (!precedes(keys[$1], keys[$0]) && $0 < $1)
    }
  }

  private func check<Key>(
    _ keys: [Key], _ value: (Key) -> Value, _ precedes: (Key, Key) -> Bool
  ) throws {
    let elements = keys.enumerated().map { (index, key) -> Value in
      ["key": value(key), "index": .integer(Int64(index))]
    }
    let given = Value.array(JSONArray(elements))
    let expected = self.sorted(keys, precedes).map { elements[$0] }
    #expect(try Expression("sort_by(@, &key)").evaluate(given) == .array(JSONArray(expected)))
    #expect(
      try Expression("sort(@[*].key)").evaluate(given)
        == .array(JSONArray(expected.map { $0["key"] ?? .null })))
    #expect(try Expression("min_by(@, &key)").evaluate(given) == expected.first)
    let last = expected.first { $0["key"] == expected.last?["key"] }
    #expect(try Expression("max_by(@, &key)").evaluate(given) == last)
  }

  private func random(_ seed: UInt64, below limit: UInt64) -> Int {
    Int((seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407) >> 33 % limit)
  }

  /// Sorted, reversed, constant and unordered keys.
  @Test(arguments: [1, 2, 3, 20, 200, 1000], [0, 1, 2, 3])
  func order(_ count: Int, _ kind: Int) throws {
    let keys = (0..<count).map { index -> Int in
      switch kind {
      case 0: index / 3
      case 1: (count - index) / 3
      case 2: 7
      default: self.random(UInt64(index), below: 50)
      }
    }
    try self.check(keys, { .integer(Int64($0)) }, <)
    try self.check(keys, { .real(Double($0) / 4) }, <)
    // Short texts, and texts with a long common prefix.
    for start in ["", "a text that is beyond fifteen bytes "] {
      try self.check(keys.map { start + String($0) }, { .string($0) }) {
        $0.utf8.lexicographicallyPrecedes($1.utf8)
      }
    }
  }

  /// Texts are ordered by code points, not by UTF-16 or locale. A prefix comes first.
  @Test func texts() throws {
    let texts = ["", "Z", "a", "a\u{0}", "aa", "a\u{301}", "é", "\u{FFFD}", "😀"]
    let given = Value.array(JSONArray(texts.reversed().map { .string($0) }))
    let sorted = Value.array(JSONArray(texts.map { .string($0) }))
    #expect(try Expression("sort(@)").evaluate(given) == sorted)
    #expect(try Expression("min(@)").evaluate(given) == "")
    #expect(try Expression("max(@)").evaluate(given) == "😀")
  }

  /// 1 and 1.0 are equal, and keep their order.
  @Test func mixedNumbers() throws {
    let given: Value = [2, 1.0, 1, 1.5, 9_007_199_254_740_993, 9_007_199_254_740_992.0, 1.0]
    let sorted: Value = [1.0, 1, 1.0, 1.5, 2, 9_007_199_254_740_992.0, 9_007_199_254_740_993]
    #expect(try Expression("sort(@)").evaluate(given).description == sorted.description)
  }
}
