import ImmutableJSON
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
}
