import ImmutableJSON
import TestSupport
import Testing

private struct Record: Codable, Equatable {
  enum Kind: String, Codable { case plain, fancy }

  enum Status: Codable, Equatable {
    case waiting
    case failure(error: String)
    case nested(Kind)
  }

  var name: String
  var count: UInt8
  var ratio: Double
  var half: Float
  var isOn: Bool
  var kind: Kind
  var status: [Status]
  var table: [String: Int]
  var nothing: String?
  var something: Int?
  var raw: Value
}

private class Base: Codable {
  var base = 1
}

private final class Derived: Base {
  var derived = 2

  private enum CodingKeys: CodingKey { case derived }

  override init() {
    super.init()
  }

  required init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.derived = try container.decode(Int.self, forKey: .derived)
    try super.init(from: container.superDecoder())
  }

  override func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(self.derived, forKey: .derived)
    try super.encode(to: container.superEncoder())
  }
}

@Suite struct CodableTests {
  @Test func keysWithNULAreRejected() throws {
    let error = #expect(throws: EncodingError.self) {
      try Value(encoding: ["plain": 1, "a\0b": 2])
    }
    guard case .invalidValue(let key, let context)? = error else { return }
    #expect(key as? String == "a\0b")
    #expect(context.debugDescription == "a key must not contain U+0000")
  }

  @Test func valuesBeyondALimitAreRejected() throws {
    var value: Value = []
    for _ in 1..<ValueLimits.depth { value = [value] }
    #expect(try Value(encoding: value) == value)
    let error = #expect(throws: ValueLimitError.self) { try Value(encoding: [value]) }
    #expect(error == ValueLimitError(.depth, limit: 2048))
    #expect(error?.description == "the value would nest deeper than 2048 levels")
  }

  private let record = Record(
    name: "é", count: 255, ratio: 0.1, half: 0.5, isOn: true, kind: .fancy,
    status: [.waiting, .failure(error: "no"), .nested(.plain)], table: ["b": 1, "a": 2],
    nothing: nil, something: 3, raw: [1, .null, ["x": 0.5]])

  private let json =
    #"{"count":255,"half":0.5,"isOn":true,"kind":"fancy","name":"é","ratio":0.1,"#
    + #""raw":[1,null,{"x":0.5}],"something":3,"status":[{"waiting":{}},"#
    + #"{"failure":{"error":"no"}},{"nested":{"_0":"plain"}}],"table":{"a":2,"b":1}}"#

  @Test func encodes() throws {
    #expect(try Value(encoding: self.record).json == self.json)
  }

  @Test func decodes() throws {
    #expect(try Value(json: self.json).decode(Record.self) == self.record)
  }

  @Test func encodesScalarsAndEmptyTypes() throws {
    struct Empty: Encodable {}
    #expect(try Value(encoding: 1) == 1)
    #expect(try Value(encoding: "a") == "a")
    #expect(try Value(encoding: Int?.none) == .null)
    #expect(try Value(encoding: [Int]()) == [])
    #expect(try Value(encoding: Empty()) == [:])
    #expect(try Value(encoding: [Int?.none, 1]) == [.null, 1])
  }

  @Test func superclassesAreEncodedUnderSuper() throws {
    let value = try Value(encoding: Derived())
    #expect(value.json == #"{"derived":2,"super":{"base":1}}"#)
    let derived: Derived = try value.decode()
    #expect(derived.base == 1)
    #expect(derived.derived == 2)
  }

  @Test func numbersWithoutJSONRepresentationAreRejected() {
    #expect(throws: EncodingError.self) { try Value(encoding: Double.nan) }
    #expect(throws: EncodingError.self) { try Value(encoding: [UInt64.max]) }
  }

  @Test func integersDecodeFromNumbersWithAnIntegralValue() throws {
    #expect(try Value.real(3).decode(Int.self) == 3)
    #expect(try Value.integer(3).decode(Double.self) == 3)
    for (value, type) in [(Value.real(3.5), Int.self), (.real(1e300), Int.self)] {
      #expect(throws: DecodingError.self) { try value.decode(type) }
    }
    #expect(throws: DecodingError.self) { try Value.integer(256).decode(UInt8.self) }
    #expect(throws: DecodingError.self) { try Value.integer(-1).decode(UInt.self) }
  }

  @Test(arguments: [
    (#"[]"#, "expected an object, found an array", ""),
    (#"{"a":1}"#, "is missing", ""),
    (#"{"items":{}}"#, "expected an array, found an object", "items"),
    (
      #"{"items":[{"name":"x"},{"name":3}]}"#, "expected a string, found an integer", "items/1/name"
    ),
    (#"{"items":[null]}"#, "expected an object, found null", "items/0"),
  ])
  func errorsHaveACodingPath(_ text: String, _ problem: String, _ path: String) throws {
    struct Item: Decodable { var name: String }
    struct List: Decodable { var items: [Item] }
    let value = try Value(json: text)
    let error = #expect(throws: DecodingError.self) { try value.decode(List.self) }
    let context: DecodingError.Context? =
      switch error {
      case .typeMismatch(_, let context), .keyNotFound(_, let context): context
      default: nil
      }
    #expect(context?.debugDescription == problem)
    #expect(context?.codingPath.map(\.stringValue).joined(separator: "/") == path)
  }

  @Test func everyScalarIsDecodedInEveryContainer() throws {
    func check<T: Codable & Equatable>(_ value: T) throws {
      let json = try Value(encoding: value)
      #expect(try json.decode(T.self) == value)
      #expect(try ([json, json] as Value).decode([T].self) == [value, value])
      let member: Pair<T> = try (["a": json, "b": json] as Value).decode()
      #expect(member.a == value && member.b == value)
      #expect(try (["a": json, "b": .null] as Value).decode(Pair<T>.self).b == nil)
      #expect(try (["a": json] as Value).decode(Pair<T>.self).b == nil)
      #expect(try Value(encoding: member) == ["a": json, "b": json])
      for wrong: Value in [.null, ["c": []]] {
        #expect(throws: DecodingError.self) { try wrong.decode(T.self) }
        #expect(throws: DecodingError.self) { try ([wrong] as Value).decode([T].self) }
        #expect(throws: DecodingError.self) { try (["a": wrong] as Value).decode(Pair<T>.self) }
      }
    }
    try check(true)
    try check("é")
    try check(0.5)
    try check(Float(0.5))
    try check(Int.min)
    try check(Int8.min)
    try check(Int16.min)
    try check(Int32.min)
    try check(Int64.min)
    try check(UInt(7))
    try check(UInt8.max)
    try check(UInt16.max)
    try check(UInt32.max)
    try check(UInt64(7))
  }

  @Test func elementsOfALongArrayAreDecodedInOrder() throws {
    for count in [0, 1, 16, 17, 300, 5_000] {
      let numbers = Array(0..<count)
      #expect(try Value(encoding: numbers).decode([Int].self) == numbers)
      let texts = numbers.map(\.description)
      #expect(try Value(encoding: texts).decode([String].self) == texts)
    }
  }

  @Test func memberKeysCreateObjects() throws {
    let keys = MemberKeys(["name", "count", "é"])
    #expect(keys.object([1, 2, .null]).json == #"{"count":2,"name":1,"é":null}"#)
    let names = (0..<20).map { "key \($0)" }
    let object = MemberKeys(names).object(names.map(Value.string))
    #expect(object == .object(JSONObject(names.map { ($0, .string($0)) })))
    #expect(MemberKeys([]).object([]) == [:])
  }

  @Test func nestingPutsAValueIntoObjects() {
    #expect(Nesting(["a", "_0", "b"]).value(around: [1]).json == #"{"a":{"_0":{"b":[1]}}}"#)
    #expect(Nesting([]).value(around: 1) == 1)
  }

  @Test(arguments: [
    #"{}"#, #"[]"#, #"1"#, #"{"name":"x"}"#, #"{"name":"x","count":1,"ratio":1,"isOn":true}"#,
    #"{"name":"x","count":1,"ratio":1,"isOn":true,"kind":"fancy","other":"plain","list":[1]}"#,
    #"{"name":"x","count":1,"ratio":1,"isOn":true,"kind":"fancy","other":null,"list":[1]}"#,
    #"{"name":"x","count":1,"ratio":1,"isOn":true,"kind":"no","other":"plain","list":[1]}"#,
    #"{"name":"x","count":1,"ratio":1,"isOn":true,"kind":1,"other":"plain","list":[1]}"#,
    #"{"name":"x","count":1,"ratio":1,"isOn":true,"kind":"fancy","other":"no","list":[1]}"#,
    #"{"name":"x","count":1,"ratio":1,"isOn":true,"kind":"fancy","other":2,"list":[1]}"#,
    #"{"name":"x","count":1,"ratio":1,"isOn":true,"kind":"fancy","list":[1,"2"]}"#,
    #"{"name":"x","count":1,"ratio":1,"isOn":true,"kind":"fancy","list":[1],"more":[1]}"#,
    #"{"name":"x","count":1,"ratio":1,"isOn":true,"kind":"fancy","list":[1],"more":{}}"#,
    #"{"name":1,"count":1,"ratio":1,"isOn":true,"kind":"fancy","list":[1]}"#,
    #"{"name":"x","count":1.5,"ratio":1,"isOn":true,"kind":"fancy","list":[1]}"#,
    #"{"name":"x","count":1,"ratio":"1","isOn":true,"kind":"fancy","list":[1]}"#,
    #"{"name":"x","count":1,"ratio":1,"isOn":0,"kind":"fancy","list":[1]}"#,
  ])
  func membersAreDecodedAsByAContainer(_ text: String) throws {
    let value = try Value(json: text)
    #expect(
      outcome { try value.decode(Directly<Members>.self).content }
        == outcome { try value.decode(ForeignlyDecoded<Members>.self).content })
    func item<Item: Decodable>(_ type: Item.Type) throws -> Item? {
      try ([["item": value]] as Value).decode([[String: Item]].self)[0]["item"]
    }
    #expect(
      outcome { try item(Directly<Members>.self)?.content }
        == outcome { try item(ForeignlyDecoded<Members>.self)?.content })
  }
}

private struct Pair<T: Codable>: Codable {
  var a: T
  var b: T?
}

private struct Members: Decodable {
  var name: String
  var count: Int
  var ratio: Double
  var isOn: Bool
  var kind: Record.Kind
  var other: Record.Kind?
  var list: [Int]
  var more: [Int]?
}

extension Members: MemberDecodable {
  init(from members: MemberDecoder) throws {
    self.name = try members.decode(ObjectKey("name"))
    self.count = try members.decode(ObjectKey("count"))
    self.ratio = try members.decode(ObjectKey("ratio"))
    self.isOn = try members.decode(ObjectKey("isOn"))
    self.kind = try members.decode(ObjectKey("kind"))
    self.other = try members.decodeIfPresent(ObjectKey("other"))
    self.list = try members.decodeArray(ObjectKey("list"))
    self.more = try members.decodeIfPresent(ObjectKey("more"))
  }
}

/// Decodes the members of its content without a keyed container, if it can.
private struct Directly<Content: MemberDecodable>: Decodable {
  let content: Content

  init(from decoder: any Decoder) throws {
    self.content = try .decoded(from: decoder)
  }
}
