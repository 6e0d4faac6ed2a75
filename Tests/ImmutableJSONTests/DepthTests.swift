import ImmutableJSON
import Testing

/// No operation creates a value that nests too deeply to be written, compared or destroyed.
@Suite struct DepthTests {
  private let empty: Value = [:]

  private func nested(_ depth: Int) throws -> Value {
    let open = String(repeating: "[", count: depth)
    return try Value(json: open + String(repeating: "]", count: depth))
  }

  @Test func settingAValueIntoItselfStopsAtTheLimit() throws {
    var value: Value = [:]
    for _ in 1..<ValueLimits.depth {
      value = try self.empty.setting(JSONPointer("/a"), value)
    }
    #expect(try Value(json: value.json) == value)
    let error = #expect(throws: JSONPointerError.self) {
      try self.empty.setting(JSONPointer("/a"), value)
    }
    #expect(error?.code == .limit)
    #expect(
      error?.message
        == #""/a" cannot be set: the value would nest deeper than 2048 levels"#)
  }

  @Test func theDepthsOfPointerAndElementAddUp() throws {
    let value = try self.nested(1_000)
    let pointer = JSONPointer(Array(repeating: "0", count: 999) + ["-"])
    #expect(try value.inserting(pointer, self.nested(1_048)) != value)
    let error = #expect(throws: JSONPointerError.self) {
      try value.inserting(pointer, self.nested(1_049))
    }
    #expect(error?.code == .limit)
    #expect(throws: JSONPointerError.self) { try value.setting(pointer, self.nested(1_049)) }
  }

  @Test func theDeepestValueCanBeChanged() throws {
    let value = try self.nested(ValueLimits.depth)
    let pointer = JSONPointer(Array(repeating: "0", count: ValueLimits.depth - 1) + ["-"])
    let changed = try value.setting(pointer, 1)
    #expect(try changed.get(pointer.replacingLast("0")) == 1)
    #expect(try changed.removing(pointer.replacingLast("0")) == value)
    let error = #expect(throws: JSONPointerError.self) { try value.setting(pointer, [:]) }
    #expect(error?.code == .limit)
  }

  @Test func aPatchStopsAtTheLimit() throws {
    let copy: Value = ["op": "copy", "from": "", "path": "/a"]
    let patch = Value.array(JSONArray(repeatElement(copy, count: 3_000)))
    let error = #expect(throws: JSONPatchError.self) {
      try self.empty.applying(patch: patch)
    }
    #expect(error?.code == .limit)
    #expect(error?.operation == 2_047)
    #expect(
      error?.message
        == #"operation 2047: "/a" cannot be set: the value would nest deeper than 2048 "#
        + "levels")
  }

  @Test func aMergePatchMayNestToTheLimit() throws {
    let depth = ValueLimits.depth
    let text = String(repeating: #"{"a":"#, count: depth - 1) + "{}"
    let patch = try Value(json: text + String(repeating: "}", count: depth - 1))
    #expect(try Value.null.merging(patch: patch) == patch)
    #expect(isIdentical(try patch.merging(patch: patch), patch))
  }

  @Test func aPointerOfAMillionTokensFails() throws {
    let pointer = try JSONPointer(String(repeating: "/a", count: 1_000_000))
    #expect(pointer.tokens.count == 1_000_000)
    let value: Value = ["a": ["a": 1]]
    for edit in [
      { try value.get(pointer) }, { try value.setting(pointer, 1) },
      { try value.inserting(pointer, 1) }, { try value.removing(pointer) },
    ] as [() throws -> Value] {
      let error = #expect(throws: JSONPointerError.self) { try edit() }
      let shown = String(repeating: "/a", count: 24) + "…"
      #expect(error?.message == #"nothing at "\#(shown)": "/a/a" is an integer"#)
    }
  }

  @Test func aDoublingValueStopsAtTheLimit() throws {
    var value: Value = [:]
    let error = #expect(throws: JSONPointerError.self) {
      for _ in 0..<100 {
        value = try value.setting(JSONPointer(["a"]), value)
        value = try value.setting(JSONPointer(["b"]), value)
      }
    }
    #expect(error?.code == .limit)
    #expect(!value.exceedsLimits)
    #expect(
      try value.setting(JSONPointer(["b"]), 1).removing(JSONPointer(["a"])).json == #"{"b":1}"#)
  }

  /// `{"rest":[]}`, which previously had a member of the maximum depth.
  private func formerlyDeep() throws -> Value {
    let deep = try self.nested(ValueLimits.depth - 1)
    let value = try self.empty.setting(JSONPointer("/rest"), [])
    return try value.setting(JSONPointer("/deep"), deep).removing(JSONPointer("/deep"))
  }

  @Test func formerlyDeepValuesCanBeNested() throws {
    var value = try self.formerlyDeep()
    for _ in 0..<20 {
      value = try self.formerlyDeep().setting(JSONPointer("/rest/-"), value)
    }
    // The limits apply to the current depth: each round nested the value two levels deeper.
    let end = JSONPointer(Array(repeating: ["rest", "0"], count: 20).joined() + ["rest", "-"])
    let left = ValueLimits.depth - 42
    let deepest = try self.nested(left)
    #expect(try value.setting(end, deepest).get(end.replacingLast("0")) == deepest)
    #expect(throws: JSONPointerError.self) { try value.setting(end, self.nested(left + 1)) }
  }

  @Test func formerlyDeepValuesCanBeShared() throws {
    var value = try self.formerlyDeep()
    // Occurs 2^26 times in the end, so that visiting each occurrence would take long.
    for _ in 0..<26 {
      value = .array([value, value])
      let exceedsLimits = value.exceedsLimits
      #expect(!exceedsLimits)
    }
    let last = JSONPointer(Array(repeating: "1", count: 26))
    #expect(try value.setting(last, 2).get(last) == 2)
  }
}

extension JSONPointer {
  fileprivate func replacingLast(_ token: String) -> JSONPointer {
    JSONPointer(self.tokens.dropLast() + [token])
  }
}
