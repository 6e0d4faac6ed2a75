import ImmutableJSON
import JSONSchema
import Testing

/// Schemas that are refused.
@Suite struct CompileTests {
  private static let cycle =
    #": a schema refers to itself for the same value; let the reference be inside "properties", "#
    + #""items" or the like"#

  @Test(arguments: [
    ("1", ": expected a schema, which is an object or a boolean, found an integer"),
    (
      #"{"uniqItems":true}"#,
      #"/uniqItems: the keyword "uniqItems" is not supported; did you mean "uniqueItems"?"#
    ),
    (#"{"items":{"if":{}}}"#, #"/items/if: the keyword "if" is not supported"#),
    (#"{"type":"int"}"#, #"/type: invalid value "int"; did you mean "integer"?"#),
    (#"{"type":["string",1]}"#, "/type/1: expected a string, found an integer"),
    (#"{"minLength":-1}"#, "/minLength: expected an integer of at least 0, found -1"),
    (#"{"maxItems":1.5}"#, "/maxItems: expected an integer of at least 0, found 1.5"),
    (#"{"multipleOf":0}"#, "/multipleOf: expected a number greater than 0, found 0"),
    (#"{"minimum":"1"}"#, "/minimum: expected a number, found a string"),
    (#"{"uniqueItems":1}"#, "/uniqueItems: expected a boolean, found an integer"),
    (#"{"enum":1}"#, "/enum: expected an array, found an integer"),
    (#"{"properties":[]}"#, "/properties: expected an object, found an array"),
    (
      #"{"properties":{"a":1}}"#,
      "/properties/a: expected a schema, which is an object or a boolean, found an integer"
    ),
    (#"{"required":[1],"properties":{}}"#, "/required/0: expected a string, found an integer"),
    (#"{"$defs":{"a":{"x":1}}}"#, #"/$defs/a/x: the keyword "x" is not supported"#),
    (
      #"{"$ref":"other"}"#,
      ##"/$ref: "other" does not refer to a part of this schema, such as "#/$defs/name""##
    ),
    (##"{"$ref":"#/$defs/a"}"##, ##"/$ref: nothing at "#/$defs/a""##),
    (
      ##"{"$ref":"#"}"##,
      Self.cycle
    ),
    (
      ##"{"$defs":{"a":{"anyOf":[{"$ref":"#/$defs/b"}]},"b":{"not":{"$ref":"#/$defs/a"}}}}"##,
      "/$defs/a" + Self.cycle
    ),
  ])
  func refuses(_ schema: String, _ message: String) throws {
    let value = try Value(json: schema)
    #expect {
      try CompiledSchema(value)
    } throws: {
      ($0 as? SchemaError)?.message("schema") == "schema\(message)"
    }
  }

  private func message(_ schema: Value) -> String? {
    do throws(SchemaError) {
      _ = try CompiledSchema(schema)
      return nil
    } catch {
      return error.message("")
    }
  }

  @Test func limitsSchemas() throws {
    let many = JSONArray((0..<17_000).map { _ in .bool(true) })
    #expect(
      self.message(["allOf": .array(many)])
        == #"/allOf: more than 16384 schemas; use "$ref" for those that repeat"#)
    let deep = try Value(
      json: String(repeating: #"{"not":"#, count: 300) + "true" + String(repeating: "}", count: 300)
    )
    #expect(self.message(deep)?.hasSuffix("schemas nest deeper than 256 steps") == true)
    let patterns = JSONArray((0..<20).map { ["pattern": .string("a{\(4_000 + $0)}")] })
    #expect(
      self.message(["allOf": .array(patterns)])?.hasSuffix(
        "the patterns of the schema take more than 65536 states") == true)
  }

  /// A schema that contains itself checks values of a limited depth.
  @Test func limitsDepth() throws {
    let schema = try CompiledSchema(Value(json: ##"{"items":{"$ref":"#"}}"##))
    func nested(_ depth: Int) throws -> Value {
      try Value(
        json: String(repeating: "[", count: depth) + String(repeating: "]", count: depth))
    }
    try schema.check(nested(128))
    #expect {
      try schema.check(nested(129))
    } throws: {
      ($0 as? SchemaError)?.message("").hasSuffix("nests deeper than the 128 schemas of one check")
        == true
    }
  }

  /// Branches that multiply are bounded by the budget of a check.
  @Test func limitsWork() throws {
    let schema = try CompiledSchema(
      Value(
        json: ##"{"oneOf":[{"items":{"$ref":"#"}},{"items":{"$ref":"#"}},{"items":{"$ref":"#"}}]}"##
      ))
    let value = try Value(
      json: String(repeating: "[", count: 60) + String(repeating: "]", count: 60))
    #expect {
      try schema.check(value, WorkBudget(10_000))
    } throws: {
      ($0 as? SchemaError)?.isLimit == true
    }
  }

  /// What pydantic and msgspec emit besides rules.
  @Test func ignoresAnnotations() throws {
    let schema = try CompiledSchema(
      Value(
        json: #"{"title":"T","description":"d","default":1,"examples":[1],"format":"date","#
          + #""$schema":"x","$comment":"c","discriminator":{"propertyName":"p"},"type":"integer"}"#)
    )
    try schema.check(1)
  }
}
