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

  @Test(arguments: seeds(5))
  func thePatchTurnsTheOldValueIntoTheNew(_ seed: Int) throws {
    var generator = SeededGenerator(seed)
    var old = Value.random(3, &generator)
    for _ in 0..<100 {
      let new =
        Bool.random(using: &generator)
        ? Value.random(3, &generator) : old.edited(using: &generator)
      #expect(try old.applying(patch: old.diff(to: new)) == new)
      old = new
    }
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
