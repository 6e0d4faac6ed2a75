import Testing

@testable import ImmutableJSON

/// Setting a scalar that is equal to the one there returns the same instance.
@Suite struct EqualScalarTests {
  /// Containers with and without inner nodes, and packed leaves.
  private static let value: Value = [
    "records": .object(
      JSONObject(
        (0..<1000).map { index in
          let record: Value = [
            "count": .integer(Int64(index)), "done": false, "name": .string("record \(index)"),
            "none": .null, "price": 0.0, "tags": ["a", "\u{E9}"],
          ]
          return ("k\(index)", record)
        })),
    "list": .array(JSONArray((0..<1000).map { .integer($0) })),
    "packed": [
      "integers": .array(packed([1, 2, 3])), "reals": .array(packed([0.5, -0.0, 1.0])),
    ],
  ]

  private static func packed(_ values: [Value]) -> JSONArray {
    var values = values
    return JSONArray(root: values.withUnsafeMutableBufferPointer { Node.packed($0) })
  }

  /// All ways to set a part of the value.
  private func results(_ pointer: String, _ part: Value) throws -> [Value] {
    let target = try JSONPointer(pointer)
    let operations = ["replace", target.endsWithIndex ? "replace" : "add"].map { operation in
      ["op": .string(operation), "path": .string(pointer), "value": part] as Value
    }
    let value = Self.value
    return [
      try value.setting(target, part),
      try #require(Array(pointer.utf8).withUnsafeBytes { value.fastPathSetting($0, part) }),
      try value.applying(patch: .array(JSONArray(operations))),
    ]
  }

  @Test(
    arguments: [
      ("/records/k500/count", 500), ("/records/k500/done", false),
      ("/records/k500/name", "record 500"), ("/records/k500/none", .null),
      ("/records/k500/price", 0.0), ("/records/k0/tags/1", "\u{E9}"), ("/list/0", 0),
      ("/list/999", 999), ("/packed/integers/2", 3), ("/packed/reals/0", 0.5),
      ("/packed/reals/1", -0.0), ("/packed/reals/2", 1.0),
    ] as [(String, Value)])
  func equalScalarsReturnTheSameInstance(_ pointer: String, _ scalar: Value) throws {
    for result in try self.results(pointer, scalar) {
      #expect(result.isIdentical(to: Self.value))
    }
  }

  @Test(
    arguments: [
      ("/records/k500/count", 500.0), ("/records/k500/done", 0), ("/records/k500/done", .null),
      ("/records/k500/name", "record 501"), ("/records/k500/price", -0.0),
      ("/records/k0/tags/1", "e\u{301}"), ("/packed/integers/2", 3.0), ("/packed/reals/1", 0.0),
      ("/packed/reals/2", 1),
      // Equal, but another instance.
      ("/records/k0/tags", ["a", "\u{E9}"]),
    ] as [(String, Value)])
  func otherPartsAreSet(_ pointer: String, _ part: Value) throws {
    for result in try self.results(pointer, part) {
      #expect(!result.isIdentical(to: Self.value))
      #expect(try result.get(JSONPointer(pointer)).isIdentical(to: part))
    }
  }

  @Test(arguments: ["/records", "/records/k7", "/records/k7/tags", "/packed/reals", ""])
  func theSameContainerReturnsTheSameInstance(_ pointer: String) throws {
    let part = try Self.value.get(JSONPointer(pointer))
    #expect(try Self.value.setting(JSONPointer(pointer), part).isIdentical(to: Self.value))
  }

  @Test func changesInPlaceKeepTheInstance() throws {
    guard case .object(let records) = Self.value["records"],
      case .array(let list) = Self.value["list"]
    else { throw Missing() }
    var (object, array) = (records, list)
    object["k1"] = records["k1"]
    object["absent"] = nil
    array[3] = 3
    #expect(object.isIdentical(to: records))
    #expect(array.isIdentical(to: list))

    // The root is referenced once, and the leaf is not.
    var changed = records
    changed["k0"] = nil
    changed["k999"] = records["k999"]
    #expect(changed.sharedLeafCount(with: records) == records.leafCount - 1)
  }

  @Test func patchesThatChangeNothingKeepTheInstance() throws {
    let patches: [Value] = [
      [], [["op": "test", "path": "/list/1", "value": 1]],
      [["op": "move", "from": "/list", "path": "/list"]],
      [["op": "copy", "from": "/list", "path": "/list"]],
    ]
    for patch in patches {
      #expect(try Self.value.applying(patch: patch).isIdentical(to: Self.value))
    }
    let merged: [Value] = [
      [:], ["absent": .null], ["records": ["k3": ["count": 3, "absent": .null]]],
    ]
    for patch in merged {
      #expect(try Self.value.merging(patch: patch).isIdentical(to: Self.value))
    }
  }
}

private struct Missing: Error {}

extension JSONPointer {
  fileprivate var endsWithIndex: Bool {
    self.tokens.last.map { Int($0) != nil } ?? false
  }
}

extension JSONObject {
  private var leaves: [ObjectIdentifier] {
    var leaves: [ObjectIdentifier] = []
    var nodes = self.root.map { [$0] } ?? []
    while let node = nodes.popLast() {
      nodes += node.children
      if node.isLeaf { leaves.append(ObjectIdentifier(node)) }
    }
    return leaves
  }

  fileprivate var leafCount: Int {
    self.leaves.count
  }

  fileprivate func sharedLeafCount(with other: JSONObject) -> Int {
    Set(self.leaves).intersection(other.leaves).count
  }
}
