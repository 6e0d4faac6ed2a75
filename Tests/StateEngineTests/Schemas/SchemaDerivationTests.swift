import HashTreeCollections
import ImmutableJSON
import StateEngine
import Testing

private func check<T>(
  _ type: T.Type, _ expected: Value, sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(Schema(of: type).json.json == expected.json, sourceLocation: sourceLocation)
}

private func checkFailure<T>(
  _ type: T.Type, _ problem: String, sourceLocation: SourceLocation = #_sourceLocation
) {
  let name = "\(type)".split(separator: ".").last ?? ""
  check(
    type, ["$comment": .string("cannot derive the schema of \(name): \(problem)")],
    sourceLocation: sourceLocation)
}

/// The schema of an object.
private func object(_ properties: [(String, Value)], optional: [String] = []) -> Value {
  let required = properties.map(\.0).filter { !optional.contains($0) }
  return [
    "type": "object", "properties": .object(JSONObject(properties)),
    "required": .array(JSONArray(required.map(Value.string))), "additionalProperties": false,
  ]
}

private func nullable(_ schema: Value) -> Value { ["anyOf": [schema, ["type": "null"]]] }
private func array(_ element: Value) -> Value { ["type": "array", "items": element] }
private func dictionary(_ element: Value) -> Value {
  ["type": "object", "additionalProperties": element]
}

private let string: Value = ["type": "string"]
private let integer: Value = ["type": "integer"]
private let boolean: Value = ["type": "boolean"]
private let number: Value = ["type": "number"]

@Suite struct SchemaDerivationTests {
  @Test func scalars() {
    check(String.self, string)
    check(Bool.self, boolean)
    check(Int.self, integer)
    check(UInt64.self, integer)
    check(Double.self, number)
    check(Float.self, number)
    check(Value.self, [:])
    check(Identifier.self, string)
  }

  @Test func collections() {
    check([Int].self, array(integer))
    check([String: [Bool]].self, dictionary(array(boolean)))
    check([Int: Bool].self, dictionary(boolean))
    check(TreeDictionary<String, Double>.self, dictionary(number))
    check(Set<String>.self, array(string))
    check([Int?].self, array(nullable(integer)))
    check(Int?.self, nullable(integer))
    check(Int??.self, nullable(nullable(integer)))
  }

  @Test func enums() {
    check(Diet.self, ["enum": ["Herbivore", "Carnivore"]])
    check(Level.self, integer)
    check(
      Light.self, ["oneOf": [object([("red", object([]))]), object([("green", object([]))])]])
  }

  @Test func structs() {
    let animal = object(
      [
        ("id", string), ("diet", ["enum": ["Herbivore", "Carnivore"]]),
        ("nickname", nullable(string)),
      ], optional: ["nickname"])
    check(Animal.self, animal)
    check(
      Zoo.self,
      object(
        [
          ("animals", dictionary(animal)), ("keepers", array(array(nullable(string)))),
          ("isOpen", boolean), ("light", Schema(of: Light.self).json), ("price", number),
          ("count", integer), ("note", nullable([:])),
        ], optional: ["note"]))
  }

  @Test func ownDecoding() {
    check(
      Search.self,
      object(
        [
          ("text", nullable(string)), ("limit", integer),
          ("from", object([("limit", nullable(integer))])), ("parts", array(boolean)),
        ], optional: ["text", "limit"]))
    check(Derived.self, object([("name", string), ("super", object([("id", integer)]))]))
  }

  @Test func recursion() {
    let tree = object([("title", string), ("children", array(["$ref": "#/$defs/Tree"]))])
    check(Tree.self, tree.adding("$defs", ["Tree": tree]))
    let chain = object([("next", nullable(["$ref": "#/$defs/Chain"]))], optional: ["next"])
    check(Chain.self, chain.adding("$defs", ["Chain": chain]))
    check(
      Forest.self,
      object([("trees", dictionary(tree)), ("oldest", nullable(tree))], optional: ["oldest"])
        .adding("$defs", ["Tree": tree]))
    let entry = object(
      [("folder", nullable(["$ref": "#/$defs/Folder"])), ("size", integer)], optional: ["folder"])
    let folder = object([("entries", array(entry))])
    check(Folder.self, folder.adding("$defs", ["Folder": folder]))
  }

  @Test func statedSchemas() {
    func shape(_ element: Value) -> Value {
      let radius: Value = ["type": "number", "minimum": 0, "description": "Half of its width."]
      return [
        "oneOf": [
          object([("circle", object([("radius", radius)]).adding("description", "A circle."))]),
          object([
            (
              "group",
              object(
                [("shapes", array(element)), ("name", nullable(string))], optional: ["name"]
              ).adding("description", "Several.")
            )
          ]),
          object([("empty", object([]).adding("description", "Nothing."))]),
        ]
      ]
    }
    let reference: Value = ["$ref": "#/$defs/Shape"]
    let definition = shape(reference)
    check(
      Drawing.self,
      object([("shape", definition), ("width", integer)]).adding("$defs", ["Shape": definition]))
    let address: Value = ["type": "string", "pattern": "@"]
    check(Mail.self, address)
    check(Contact.self, object([("address", address), ("name", string)]))
  }

  @Test func failures() {
    let remedy = "; let it be SchemaProviding, or let it accept \"0\", 0 and false"
    checkFailure(
      Unstated.self,
      "/list/*/result: Unstated.Outcome: it is an enum whose cases may have associated values; let "
        + "it be SchemaProviding")
    checkFailure(Raw.self, "Raw: Cannot initialize Raw from invalid String value 0" + remedy)
    checkFailure(
      Odd.self,
      "/pairs: Dictionary<StateEngineTests.Diet, Swift.Int>: Expected collection of key-value pairs"
        + "; encountered odd-length array instead" + remedy)
    checkFailure(
      Hidden.self, "/raw: Raw: Cannot initialize Raw from invalid String value 0" + remedy)
    checkFailure(NotDecodable.self, "NotDecodable is not Decodable")
    checkFailure(
      Rejecting.self, "Rejecting: it rejects samples of its schema; give it an `example`")
    checkFailure(
      Fixed.self, "Fixed: it decodes an array of a certain length; let it be SchemaProviding")
    checkFailure(
      Several.self, "Several: it decodes values of several shapes; let it be SchemaProviding")
  }

  /// A type without an end, which also branches.
  @Test func endlessType() {
    let problem = Schema(of: Endless<Int>.self).json["$comment"]?.string ?? ""
    #expect(problem.contains("/left/value/left/value/left/value/left/value/…: "))
    #expect(problem.contains("is one of too many types in each other; let a type around it be"))
  }
}

private struct Unstated: Decodable {
  enum Outcome: Decodable { case success, failure(reason: String) }
  struct Row: Decodable { var result: Outcome? }
  var list: [Row]
}

private enum Raw: String, Codable { case one }

private struct Odd: Codable { var pairs: [Diet: Int] }

/// A type that catches the error of a part.
private struct Hidden: Decodable {
  private enum CodingKeys: CodingKey { case raw }

  var raw: Raw

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.raw = (try? container.decode(Raw.self, forKey: .raw)) ?? .one
  }
}

private struct NotDecodable {}

private struct Rejecting: Codable, SchemaProviding {
  var text: String
  init(from decoder: any Decoder) throws {
    throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "never"))
  }
  static var schema: Schema { .string }
}

/// A type with a part of yet another type, without an end.
private struct Endless<T: Decodable>: Decodable {
  var left: Box<Endless<[T]>>?
  var right: Box<Endless<T?>>?
}

private final class Box<T: Decodable>: Decodable {
  let value: T
}

private struct Fixed: Decodable {
  init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    _ = try container.decode(Double.self)
    _ = try container.decode(Double.self)
  }
}

private struct Several: Decodable {
  init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    _ = try container.decode(Double.self)
    _ = try decoder.container(keyedBy: CodingKeys.self)
  }

  private enum CodingKeys: CodingKey { case text }
}

extension Value {
  fileprivate func adding(_ key: String, _ value: Value) -> Value {
    guard case .object(let members) = self else { return self }
    return .object(JSONObject(members.map { ($0.key, $0.value) } + [(key, value)]))
  }
}
