import ImmutableJSON
import TestSupport
import Testing

@Suite struct MemberChangesTests {
  /// Checks the changes between versions of an object that share most of their nodes.
  @Test(arguments: [1, 2, 16, 17, 300, 1_000])
  func changesAreThoseOfEachMember(count: Int) {
    var generator = SeededGenerator(count)
    let keys = (0..<count).map { "k\($0)" }
    var old = JSONObject(keys.map { ($0, [1, .string($0)]) })
    for edits in [0, 1, 1, 1, 2, 5, 40] {
      var new = old
      for _ in 0..<edits {
        let key = "k\(Int.random(in: 0..<(count + count / 8 + 1), using: &generator))"
        let value = Value.integer(.random(in: 0..<100, using: &generator))
        new[key] = Bool.random(using: &generator) || count == 1 ? value : nil
      }
      check(old, new)
      check(new, old)
      check(old, JSONObject(new.map { ($0.key, $0.value) }))
      old = new
    }
    check(old, [:])
    check([:], old)
  }

  private func check(_ old: JSONObject, _ new: JSONObject) {
    var found: [Change] = []
    old.forEachChange(to: new) { found.append(Change(key: $0, old: $1, new: $2)) }
    let keys = Set(old.map(\.key)).union(new.map(\.key))
    let expected = keys.filter { !isIdentical(old[$0], new[$0]) }
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      .map { Change(key: $0, old: old[$0], new: new[$0]) }
    #expect(found == expected)
    for key in keys.union(["other"]) {
      var isVisited = false
      old.withChange(of: key, to: new) {
        isVisited = true
        let expected = Change(key: key, old: old[key], new: new[key])
        #expect(Change(key: key, old: $0, new: $1) == expected)
      }
      #expect(isVisited || isIdentical(old[key], new[key]))
    }
  }

  private func isIdentical(_ old: Value?, _ new: Value?) -> Bool {
    guard let old, let new else { return old == nil && new == nil }
    return old.isIdentical(to: new)
  }

  private struct Change: Equatable {
    let key: String
    let old: Value?
    let new: Value?
  }
}
