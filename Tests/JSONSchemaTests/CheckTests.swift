import ImmutableJSON
import JSONSchema
import Testing

/// The messages of values that do not fit. Which values fit is what the conformance suite tests.
@Suite struct CheckTests {
  private static let animals =
    ##"{"oneOf":[{"$ref":"#/$defs/cat"},{"$ref":"#/$defs/dog"}],"discriminator":{},"$defs":{"##
    + #""cat":{"type":"object","properties":{"kind":{"const":"cat"},"lives":{"type":"integer"}},"#
    + #""required":["kind"]},"dog":{"type":"object","properties":{"kind":{"enum":["dog"]},"#
    + #""name":{"type":"string"}},"required":["kind","name"]}}}"#

  @Test(arguments: [
    (#"{"type":"integer"}"#, "null", ": expected an integer, found null"),
    (#"{"type":"integer"}"#, "1.5", ": expected an integer, found 1.5"),
    (#"{"type":["integer","null"]}"#, #""a""#, ": expected an integer or null, found a string"),
    ("false", "1", ": expected no value, found an integer"),
    (#"{"enum":["on","off"]}"#, #""offf""#, #": invalid value "offf"; did you mean "off"?"#),
    (#"{"const":"on"}"#, #""x""#, #": invalid value "x"; expected "on""#),
    (#"{"enum":[1,null,"a"]}"#, "2", #": expected one of: 1, null, "a", found 2"#),
    (#"{"const":[1]}"#, "[2]", ": expected an array, found an array"),
    (#"{"minimum":3}"#, "2", ": expected a number of at least 3, found 2"),
    (#"{"maximum":3}"#, "3.5", ": expected a number of at most 3, found 3.5"),
    (#"{"exclusiveMinimum":3}"#, "3", ": expected a number greater than 3, found 3"),
    (#"{"exclusiveMaximum":3.0}"#, "3", ": expected a number less than 3.0, found 3"),
    (#"{"multipleOf":0.5}"#, "0.3", ": expected a multiple of 0.5, found 0.3"),
    (#"{"minLength":2}"#, #""😀""#, ": expected at least 2 characters, found 1"),
    (#"{"maxLength":1}"#, #""ab""#, ": expected at most 1 character, found 2"),
    (#"{"pattern":"^a$"}"#, #""b""#, #": expected a string that matches "^a$", found "b""#),
    (#"{"items":{"type":"string"}}"#, #"["a",1]"#, "/1: expected a string, found an integer"),
    (#"{"prefixItems":[{"type":"null"}]}"#, "[1]", "/0: expected null, found an integer"),
    (#"{"prefixItems":[true],"items":false}"#, "[1,2]", ": expected at most 1 element, found 2"),
    (#"{"minItems":2}"#, "[1]", ": expected at least 2 elements, found 1"),
    (
      #"{"uniqueItems":true}"#, "[2,1,1.0]", ": the elements 1 and 2 are equal; each must be unique"
    ),
    (#"{"required":["a"]}"#, "{}", #": the member "a" is missing"#),
    (#"{"required":["a"],"properties":{"a":true}}"#, "{}", #": the member "a" is missing"#),
    (
      #"{"properties":{"name":{"type":"null"}},"additionalProperties":false}"#,
      #"{"name":1,"nam":1,"x":1}"#,
      #": unknown member "nam"; did you mean "name"? Also unknown: "x""#
    ),
    (
      #"{"additionalProperties":{"type":"null"}}"#, #"{"a/b":1}"#,
      "/a~1b: expected null, found an integer"
    ),
    (#"{"minProperties":1}"#, "{}", ": expected at least 1 member, found 0"),
    (#"{"not":{"type":"null"}}"#, "null", #": the value fits the schema of "not", but must not"#),
    (
      #"{"anyOf":[{"type":"string","minLength":1},{"type":"null"}]}"#, #""""#,
      ": expected at least 1 character, found 0"
    ),
    (
      #"{"anyOf":[{"type":"string"},{"type":"null"}]}"#, "1",
      ": expected a string or null, found an integer"
    ),
    (
      #"{"anyOf":[{"const":"on"},{"const":"off"}]}"#, #""onn""#,
      #": invalid value "onn"; did you mean "on"?"#
    ),
    (
      #"{"anyOf":[{"required":["a"]},{"properties":{"b":{"type":"null"}},"required":["b"]}]}"#,
      #"{"b":1}"#,
      #": an object fits none of the 2 schemas of "anyOf"; for example, "#
        + "/b: expected null, found an integer"
    ),
    (
      #"{"oneOf":[{"minimum":1},{"minimum":2}]}"#, "3",
      #": the value fits 2 of the schemas of "oneOf", but must fit one only"#
    ),
    (Self.animals, #"{"kind":"cat","lives":"9"}"#, "/lives: expected an integer, found a string"),
    (Self.animals, #"{"kind":"dog"}"#, #": the member "name" is missing"#),
    (Self.animals, #"{"kind":"dg"}"#, #"/kind: invalid value "dg"; did you mean "dog"?"#),
    (Self.animals, "{}", #": the member "kind" is missing"#),
    (Self.animals, "1", ": expected an object, found an integer"),
  ])
  func explains(_ schema: String, _ value: String, _ message: String) throws {
    let (schema, value) = (try CompiledSchema(Value(json: schema)), try Value(json: value))
    #expect {
      try schema.check(value)
    } throws: {
      ($0 as? SchemaError)?.message("v") == "v\(message)"
    }
  }

  @Test(arguments: [
    ("9007199254740993", #"{"maximum":9007199254740992.0}"#, false),
    ("9007199254740993", #"{"minimum":9007199254740992.0}"#, true),
    ("9223372036854775807", #"{"exclusiveMaximum":9223372036854775808.0}"#, true),
    ("-1", #"{"maximum":-0.5}"#, true), ("0", #"{"exclusiveMinimum":-0.0}"#, false),
    ("0", #"{"minimum":5e-324}"#, false), ("0.3", #"{"multipleOf":0.1}"#, true),
    ("0.35", #"{"multipleOf":0.1}"#, false), ("1e300", #"{"multipleOf":3}"#, false),
    ("3e300", #"{"multipleOf":3}"#, true), ("-9", #"{"multipleOf":3.0}"#, true),
    ("1e300", #"{"type":"integer"}"#, true), ("5e-324", #"{"type":"integer"}"#, false),
    ("1", #"{"multipleOf":1e300}"#, false), ("0", #"{"multipleOf":1e300}"#, true),
    (#"{"\u00e9":1}"#, #"{"required":["e\u0301"]}"#, false),
    (#"[{"a":1},{"a":1.0}]"#, #"{"uniqueItems":true}"#, false),
  ])
  func comparesExactly(_ value: String, _ schema: String, _ isValid: Bool) throws {
    let (schema, value) = (try CompiledSchema(Value(json: schema)), try Value(json: value))
    #expect(((try? schema.check(value)) != nil) == isValid)
  }
}
