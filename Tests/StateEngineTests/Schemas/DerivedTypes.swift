import HashTreeCollections
import ImmutableJSON
import StateEngine

// Types whose schemas are derived.

enum Diet: String, Codable, CaseIterable { case herbivore = "Herbivore", carnivore = "Carnivore" }

enum Level: Int, Codable, CaseIterable { case low, high }

enum Light: Codable, CaseIterable { case red, green }

struct Identifier: RawRepresentable, Codable, Hashable {
  var rawValue: String
}

struct Animal: Codable {
  var id: Identifier
  var diet: Diet
  var nickname: String?
}

struct Zoo: Codable {
  var animals: [String: Animal]
  var keepers: [[String?]]
  var isOpen: Bool
  var light: Light
  var price: Double
  var count: UInt8
  var note: Value?
}

struct Tree: Codable, Sendable {
  var title: String
  var children: [Tree]
}

final class Chain: Codable {
  let next: Chain?

  init(next: Chain?) { self.next = next }
}

struct Forest: Codable {
  var trees: TreeDictionary<String, Tree>
  var oldest: Tree?
}

/// A type that contains itself through another one.
struct Folder: Codable {
  struct Entry: Codable {
    var folder: Folder?
    var size: Int
  }

  var entries: [Entry]
}

indirect enum Shape: Codable, SchemaProviding {
  case circle(radius: Double)
  case group(shapes: [Shape], name: String?)
  case empty

  static var schema: Schema {
    .variants(
      of: Self.self,
      [
        (.circle(radius: 1), "A circle."), (.group(shapes: [], name: nil), "Several."),
        (.empty, "Nothing."),
      ], ["/circle/radius": .init("Half of its width.", ["minimum": 0])])
  }
}

struct Drawing: Codable {
  var shape: Shape
  var width: Int
}

/// A type that rejects samples of its schema.
struct Mail: Codable, SchemaProviding {
  var text: String

  init(text: String) { self.text = text }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    self.text = try container.decode(String.self)
    guard self.text.contains("@") else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "has no @")
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(self.text)
  }

  static var schema: Schema { .string.limited(["pattern": "@"]) }
  static var example: Self? { Self(text: "a@b") }
}

struct Contact: Codable {
  var address: Mail
  var name: String
}

/// A type with an `init(from:)` of its own.
struct Search: Decodable {
  private enum CodingKeys: CodingKey { case text, limit, from, parts }

  let text: String
  let limit: Int

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.text = try container.decodeIfPresent(String.self, forKey: .text) ?? ""
    self.limit = container.contains(.limit) ? try container.decode(Int.self, forKey: .limit) : 10
    let from = try container.nestedContainer(keyedBy: CodingKeys.self, forKey: .from)
    if try !from.decodeNil(forKey: .limit) { _ = try from.decode(Int.self, forKey: .limit) }
    var parts = try container.nestedUnkeyedContainer(forKey: .parts)
    while !parts.isAtEnd { _ = try parts.decode(Bool.self) }
  }
}

class Base: Codable {
  var id = 1
}

final class Derived: Base {
  var name = ""

  private enum CodingKeys: CodingKey { case name }

  override init() { super.init() }

  required init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.name = try container.decode(String.self, forKey: .name)
    try super.init(from: container.superDecoder())
  }
}
