import ImmutableJSON
import JSONSchema
import TestSupport
import Testing

/// Checks of what changed since a value that fits.
@Suite struct ChangeTests {
  private static let schema: Value =
    (try? Value(
      json: ##"{"$ref":"#/$defs/node","$defs":{"node":{"type":"object","properties":{"##
        + ##""name":{"type":"string","maxLength":2},"count":{"type":"integer","maximum":3},"##
        + ##""list":{"type":"array","items":{"$ref":"#/$defs/node"},"maxItems":3},"##
        + ##""pair":{"prefixItems":[{"type":"integer"},{"type":"string"}],"items":false},"##
        + ##""map":{"type":"object","additionalProperties":{"anyOf":[{"$ref":"#/$defs/node"},"##
        + ##"{"type":"null"}]},"maxProperties":3},"##
        + ##""shape":{"oneOf":[{"$ref":"#/$defs/dot"},{"$ref":"#/$defs/group"}]}},"##
        + ##""required":["name"],"additionalProperties":false},"##
        + ##""dot":{"type":"object","properties":{"kind":{"const":"dot"},"x":{"type":"number"}},"##
        + ##""required":["kind","x"]},"group":{"type":"object","properties":{"kind":{"##
        + ##""const":"group"},"x":{"type":"null"},"all":{"additionalProperties":{"##
        + ##""$ref":"#/$defs/node"}}},"required":["kind"]}}}"##)) ?? .null

  /// A change is refused exactly if the whole new value is.
  @Test(arguments: seeds(200))
  func checksAsWhole(_ seed: Int) throws {
    var generator = SeededGenerator(seed)
    let schema = try CompiledSchema(Self.schema, isForChanges: true)
    var value: Value = ["name": "a"]
    var (fitting, refused, edited) = (0, 0, 0)
    for _ in 0..<60 {
      let pointer = Self.pointer(into: value, &generator)
      let part = Self.part(3, &generator)
      let next =
        if generator.isOne(in: 6) {
          try? value.removing(pointer)
        } else if generator.isOne(in: 4) {
          try? value.inserting(pointer, part)
        } else {
          try? value.setting(pointer, part)
        }
      guard let next else { continue }
      let fits = (try? schema.check(next)) != nil
      #expect(((try? schema.check(next, since: value)) != nil) == fits, "\(value) \(next)")
      if case .array = part {
      } else if case .object = part {
      } else if (try? value.setting(pointer, part)) == next,
        let edits = Self.edit(pointer, part, value)
      {
        // It may not know that a value fits, but must not be wrong.
        let isCertain = schema.certainlyFits(edits, of: value)
        #expect(fits || !isCertain, "\(value) \(pointer) \(part)")
        if isCertain { edited += 1 }
      }
      if fits { (value, fitting) = (next, fitting + 1) } else { refused += 1 }
    }
    #expect(fitting + edited > 0)
    #expect(refused > 0)
  }

  private static func edit(_ pointer: JSONPointer, _ part: Value, _ value: Value) -> ValueEdits? {
    var text = pointer.description
    return text.withUTF8 {
      ValueEdits.replacing(UnsafeRawBufferPointer($0), by: part, in: value, after: nil)
    }
  }

  /// A pointer to a part, or to a member that may be missing.
  private static func pointer(
    into value: Value, _ generator: inout SeededGenerator
  ) -> JSONPointer {
    var (pointer, value) = (JSONPointer(), value)
    while pointer.tokens.isEmpty || !generator.isOne(in: 3) {
      switch value {
      case .object(let members):
        let known = members.map(\.key)
        let name = (generator.isOne(in: 3) ? Self.names : known).randomElement(using: &generator)
        let token = name ?? "name"
        pointer = pointer.appending(token)
        guard let next = members[token] else { return pointer }
        value = next
      case .array(let elements) where !elements.isEmpty:
        let index = Int.random(in: elements.indices, using: &generator)
        pointer = pointer.appending(index.description)
        value = elements[index]
      default: return pointer
      }
    }
    return pointer
  }

  private static let names = [
    "name", "count", "list", "pair", "map", "shape", "kind", "x", "all", "a", "other",
  ]

  /// A random part, which often fits somewhere.
  private static func part(_ depth: Int, _ generator: inout SeededGenerator) -> Value {
    switch Int.random(in: 0..<(depth > 0 ? 14 : 6), using: &generator) {
    case 0: return .null
    case 1: return .integer(Int64.random(in: 0...4, using: &generator))
    case 2: return 1.5
    case 3: return .string(generator.isOne(in: 2) ? "dot" : "group")
    case 4, 5: return .string(String(repeating: "n", count: generator.isOne(in: 4) ? 3 : 1))
    case 6: return ["kind": "dot", "x": .integer(1)]
    case 7: return ["kind": "group", "all": ["a": ["name": "b"]]]
    case 8: return [1, "a"]
    case 9:
      let count = Int.random(in: 0...4, using: &generator)
      return .array(JSONArray((0..<count).map { _ in Self.part(depth - 1, &generator) }))
    case 10:
      let count = Int.random(in: 0...4, using: &generator)
      return .array(JSONArray((0..<count).map { ["name": .string("\($0)")] }))
    case 11: return ["a": ["name": "c"], "b": .null]
    default: return ["name": "d", "list": [["name": "e"]], "map": ["a": .null]]
    }
  }

  @Test(arguments: [
    (
      #"{"properties":{"a":{"uniqueItems":true}}}"#,
      #"s/properties/a: "uniqueItems" is not possible in a state: "#
        + #"each change would compare all elements; "#
        + #"use an object whose keys are unique"#
    ),
    (
      #"{"prefixItems":[true],"items":{}}"#,
      #"s: "items" after "prefixItems" is not possible in a state: each change would check "#
        + #"all elements"#
    ),
    (
      #"{"not":{"items":{}}}"#,
      #"s: "not" is not possible in a state for what contains arrays or objects of any size"#
    ),
    (
      #"{"anyOf":[{"required":["a"]},{"properties":{"b":{"items":{"type":"null"}}}}]}"#,
      #"s: the schemas of "anyOf" contain arrays or objects of any size, so a state "#
        + #"needs a member with another "const" in each of them"#
    ),
    (
      #"{"oneOf":[{"type":"array","items":{}},{"type":"array"}]}"#,
      #"s: the schemas of "oneOf" contain arrays or objects of any size, so a state "#
        + #"needs a member with another "const" in each of them"#
    ),
  ])
  func refuses(_ schema: String, _ message: String) throws {
    let value = try Value(json: schema)
    #expect {
      try CompiledSchema(value, isForChanges: true)
    } throws: {
      ($0 as? SchemaError)?.message("s") == message
    }
    _ = try CompiledSchema(value)
  }

  @Test(arguments: [
    #"{"not":{"type":"null"}}"#, #"{"$defs":{"a":{"uniqueItems":true}}}"#,
    #"{"anyOf":[{"type":"array","items":{}},{"type":"object","additionalProperties":{}},"#
      + #"{"type":"null"}]}"#,
    #"{"anyOf":[{"required":["a"]},{"required":["b"]}]}"#, #"{"prefixItems":[{}],"items":false}"#,
  ])
  func accepts(_ schema: String) throws {
    _ = try CompiledSchema(Value(json: schema), isForChanges: true)
  }

  /// Parts that did not change are not visited, however many there are.
  @Test func costsWhatChanged() throws {
    let schema = try CompiledSchema(
      ["additionalProperties": ["items": ["type": "integer"]]], isForChanges: true)
    let list = Value.array(JSONArray((0..<100_000).map { .integer($0) }))
    let value: Value = ["a": list, "b": list]
    let next = try value.setting(JSONPointer(["a", "50000"]), 1)
    try schema.check(next, since: value, WorkBudget(8))
    #expect {
      try schema.check(next, WorkBudget(8))
    } throws: {
      ($0 as? SchemaError)?.isLimit == true
    }
  }
}
