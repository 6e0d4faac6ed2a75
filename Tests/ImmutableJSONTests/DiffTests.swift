import TestSupport
import Testing

@testable import ImmutableJSON

@Suite struct DiffTests {
  @Test(arguments: [
    ("1", "1", "[]"),
    ("1", "1.0", #"[{"op":"replace","path":"","value":1.0}]"#),
    ("[]", "{}", #"[{"op":"replace","path":"","value":{}}]"#),
    (#"{"a":1,"b":2}"#, #"{"a":1,"b":2}"#, "[]"),
    (
      #"{"a":1,"b":2}"#, #"{"b":3,"c":4}"#,
      #"[{"op":"remove","path":"/a"},{"op":"replace","path":"/b","value":3},"#
        + #"{"op":"add","path":"/c","value":4}]"#
    ),
    (
      #"{"a/b":{"m~n":[1,2,3]}}"#, #"{"a/b":{"m~n":[1,5,3]}}"#,
      #"[{"op":"replace","path":"/a~1b/m~0n/1","value":5}]"#
    ),
    ("[1,2,3]", "[0,1,2,3]", #"[{"op":"add","path":"/0","value":0}]"#),
    ("[1,2,3]", "[1,2,3,4]", #"[{"op":"add","path":"/3","value":4}]"#),
    ("[1,2,3]", "[2,3]", #"[{"op":"remove","path":"/0"}]"#),
    ("[1,2,3]", "[1,2]", #"[{"op":"remove","path":"/2"}]"#),
    (
      "[1,2,3]", "[]",
      #"[{"op":"remove","path":"/0"},{"op":"remove","path":"/0"},"#
        + #"{"op":"remove","path":"/0"}]"#
    ),
    (
      "[1,2,3,4,5]", "[1,9,2,3,8,4,5]",
      #"[{"op":"add","path":"/1","value":9},{"op":"add","path":"/4","value":8}]"#
    ),
  ])
  func patches(_ old: String, _ new: String, _ patch: String) throws {
    #expect(try Value(json: old).diff(to: Value(json: new)).json == patch)
  }

  @Test(arguments: [
    // One that moves, forwards and backwards.
    ("[1,2,3,4]", "[2,3,4,1]", ["move 0 3"]),
    ("[1,2,3,4]", "[4,1,2,3]", ["move 3 0"]),
    ("[1,2]", "[2,1]", ["move 1 0"]),
    ("[[1],[2],[3],[4],[5]]", "[[1],[5],[3],[4],[2]]", ["move 4 2", "move 1 4"]),
    // A window that rolls.
    ("[[1],[2],[3]]", "[[2],[3],[4]]", ["remove 0", "add 2"]),
    // Equal elements are matched in order.
    ("[7,7,8,7]", "[8,7,7,7]", ["replace 0", "replace 2"]),
    // An element that moves among others that change.
    (
      #"[{"a":1},{"b":1},{"c":1},{"d":1}]"#, #"[{"d":1},{"a":2},{"b":1},{"c":1}]"#,
      ["move 3 0", "replace 1/a"]
    ),
  ])
  func arraysKnowWhatMoved(_ old: String, _ new: String, _ operations: [String]) throws {
    let (old, new) = (try Value(json: old), try Value(json: new))
    let patch = try old.diff(to: new)
    #expect(patch.operations == operations)
    #expect(try old.applying(patch: patch) == new)
  }

  /// How many operations it takes to move rows of a table.
  @Test func fewOperationsMoveRows() throws {
    let rows = (0..<1000).map { Value.object(["id": .integer($0), "name": "row", "n": 1]) }
    func count(_ new: [Value]) throws -> Int {
      let (old, new) = (Value.array(JSONArray(rows)), Value.array(JSONArray(new)))
      // Also for rows that are equal, but not the same.
      let patch = try old.diff(to: new)
      #expect(try patch == old.diff(to: Value(json: new.json)))
      #expect(try old.applying(patch: patch) == new)
      return patch.operations.count
    }
    func newRows(_ range: Range<Int64>) -> [Value] {
      range.map { Value.object(["id": .integer($0), "name": "new", "n": 1]) }
    }
    #expect(try count(Array(rows[1...]) + rows[..<1]) == 1)
    #expect(try count(Array(rows[..<500]) + rows[501..<900] + [rows[500]] + rows[900...]) == 1)
    #expect(try count(Array(rows[1...]) + newRows(5000..<5001)) == 2)
    #expect(try count(Array(rows[17...]) + newRows(5000..<5017)) == 34)
    for number: Int64 in [1, 16, 17, 100] {
      #expect(try count(newRows(5000..<5000 + number) + rows) == Int(number))
    }
    #expect(try count(rows.reversed()) == 999)
  }

  @Test(arguments: seeds(20))
  func thePatchOfAnArrayTurnsItIntoAnother(_ seed: Int) throws {
    var generator = SeededGenerator(seed)
    let kinds = Int.random(in: 1...40, using: &generator)
    func element() -> Value {
      let number = Value.integer(Int64.random(in: 0..<Int64(kinds), using: &generator))
      return seed.isMultiple(of: 2) ? number : ["n": number, "other": "x"]
    }
    var old = (0..<Int.random(in: 0...60, using: &generator)).map { _ in element() }
    for _ in 0..<60 {
      var new = old
      for _ in 0..<Int.random(in: 1...5, using: &generator) {
        let index = Int.random(in: 0...new.count, using: &generator)
        switch Int.random(in: 0...6, using: &generator) {
        case 0: new.insert(element(), at: index)
        case 1 where index < new.count: new.remove(at: index)
        case 2 where index < new.count: new[index] = element()
        case 3 where index < new.count:
          let moved = new.remove(at: index)
          new.insert(moved, at: Int.random(in: 0...new.count, using: &generator))
        case 4: new = Array(new[index...] + new[..<index])
        case 5: new.reverse()
        default: new.shuffle(using: &generator)
        }
      }
      let (left, right) = (Value.array(JSONArray(old)), Value.array(JSONArray(new)))
      let patch = try left.diff(to: right)
      #expect(try left.applying(patch: patch) == right)
      // Equal pairs have equal patches, whatever they share.
      #expect(try Value(json: left.json).diff(to: Value(json: right.json)) == patch)
      old = new
    }
  }

  @Test(arguments: seeds(5))
  func thePatchTurnsTheOldValueIntoTheNew(_ seed: Int) throws {
    var generator = SeededGenerator(seed)
    var old = Value.random(3, &generator)
    for _ in 0..<100 {
      let new =
        Bool.random(using: &generator)
        ? Value.random(3, &generator) : old.edited(using: &generator)
      let patch = try old.diff(to: new)
      #expect(try old.applying(patch: patch) == new)
      // Equal pairs have equal patches, whatever they share and what is memoized.
      let (left, right) = (try Value(json: old.json), try Value(json: new.json))
      #expect(try left.diff(to: right) == patch)
      for (left, right) in [(old, new), (left, right)] {
        var builder = PatchBuilder(WorkBudget(), ValueComparison(.exact, memoThreshold: 0))
        try builder.compare(left, right)
        #expect(.array(JSONArray(builder.operations)) == patch)
      }
      old = new
    }
  }

  @Test func rowsThatDifferNearTheirEndsAreNotComparedWithMany() throws {
    // Each row is an array of its own.
    let rows = (0..<100).map { _ in JSONArray(repeatElement(0, count: 4000)) }
    let changed = rows.enumerated().map { index, row in
      var row = row
      row[3999] = .integer(Int64(index + 1))
      return Value.array(row)
    }
    let old = Value.array(JSONArray(rows.map(Value.array)))
    let new = Value.array(JSONArray(changed))
    var budget = WorkBudget(1_000_000)
    let patch = try old.diff(to: new, &budget)
    guard case .array(let operations) = patch else { throw CancellationError() }
    #expect(operations.count == 100)
    #expect(try old.applying(patch: patch) == new)
  }

  /// Elements are compared completely before a diff descends into those that differ.
  @Test(arguments: [1, 50, 1000], [0, 10, 20])
  func elementsAreNotComparedAgainAtEachLevel(_ depth: Int, _ twentieths: Int) throws {
    let (total, count) = (20_000, 20_000 / depth)
    let index = count * twentieths / 20
    func nested(_ innermost: Value) -> Value {
      (0..<depth).reduce(innermost) { inner, level in
        var elements = (0..<count).map { Value.array([.integer(Int64(level + $0))]) }
        elements.insert(inner, at: index)
        return .array(JSONArray(elements))
      }
    }
    let (old, new) = (nested(1), nested(2))
    var budget = WorkBudget(16 * total)
    let patch = try old.diff(to: new, &budget)
    let path = String(repeating: "/\(index)", count: depth)
    #expect(patch == [["op": "replace", "path": .string(path), "value": 2]])
  }

  @Test func sharedSubtreesAreSkipped() throws {
    // Comparing these without sharing would not terminate: each level contains the next one twice.
    var deep: Value = ["x": 1]
    for _ in 0..<200 {
      deep = ["a": deep, "b": deep]
    }
    var object = JSONObject((0..<10_000).map { ("\($0)", deep) })
    let old = Value.object(object)
    object["5000"] = 1
    object["x"] = 2
    let new = Value.object(object)
    #expect(
      try old.diff(to: new).json
        == #"[{"op":"replace","path":"/5000","value":1},{"op":"add","path":"/x","value":2}]"#)
    #expect(old != new)
  }
}

extension Value {
  /// The operations of the patch of an array, without values and with paths below it.
  fileprivate var operations: [String] {
    guard case .array(let operations) = self else { return [] }
    return operations.map { operation in
      ["op", "from", "path"].compactMap { name in
        guard case .string(let text)? = operation[name] else { return nil }
        return text.hasPrefix("/") ? String(text.dropFirst()) : text
      }.joined(separator: " ")
    }
  }

  /// A random document of arrays and objects of up to a few nodes.
  fileprivate static func random(
    _ depth: Int, _ generator: inout SeededGenerator
  ) -> Value {
    let count = [0, 1, 3, 20, 60].randomElement(using: &generator) ?? 0
    switch Int.random(in: depth > 0 ? 0...3 : 2...3, using: &generator) {
    case 0:
      return .array(
        JSONArray((0..<min(count, 25)).map { _ in self.random(depth - 1, &generator) }))
    case 1:
      return .object(
        JSONObject(
          (0..<count).map { _ in
            ("k\(Int.random(in: 0..<90, using: &generator))", self.random(depth - 1, &generator))
          }))
    default:
      return .integer(Int64.random(in: 0..<5, using: &generator))
    }
  }

  /// A copy with a few random edits.
  fileprivate func edited(using generator: inout SeededGenerator) -> Value {
    switch self {
    case .array(var array):
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let index = Int.random(in: 0...array.count, using: &generator)
        switch Int.random(in: 0...2, using: &generator) {
        case 0: array.insert(.random(1, &generator), at: index)
        case 1 where index < array.count: array.remove(at: index)
        case _ where index < array.count: array[index] = array[index].edited(using: &generator)
        default: break
        }
      }
      return .array(array)
    case .object(var object):
      let key = "k\(Int.random(in: 0..<90, using: &generator))"
      object[key] = object[key]?.edited(using: &generator) ?? .random(1, &generator)
      object["k\(Int.random(in: 0..<90, using: &generator))"] = nil
      return .object(object)
    default:
      return .integer(Int64.random(in: 0..<5, using: &generator))
    }
  }
}
