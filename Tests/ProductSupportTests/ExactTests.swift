import Foundation
import HashTreeCollections
import ImmutableJSON
import TestSupport
import Testing

@testable import ProductSupport

private struct Fields: Codable, Hashable, Sendable {
  @Exact var text: String
  @Exact var number: Double
}

private struct InexactFields: Codable, Hashable {
  var text: String
  var number: Double
  @Exact var other: String
}

private struct Item: Identifiable, Hashable {
  @Exact var id: String
}

@Suite struct ExactTests {
  private static let accents = ["\u{E9}", "e\u{301}"]

  @Test(arguments: [
    (Fields(text: "\u{E9}", number: 1), Fields(text: "e\u{301}", number: 1), false),
    (Fields(text: "", number: 0.0), Fields(text: "", number: -0.0), false),
    (Fields(text: "", number: 1), Fields(text: "a", number: 1), false),
    (Fields(text: "a\0b", number: 1), Fields(text: "a\0b", number: 1), true),
  ])
  private func fieldsAreComparedAsJSON(_ left: Fields, _ right: Fields, _ areEqual: Bool) throws {
    #expect((left == right) == areEqual)
    #expect(try (Value(encoding: left) == Value(encoding: right)) == areEqual)
    #expect(!areEqual || left.hashValue == right.hashValue)
    #expect((Record(left) == Record(right)) == areEqual)
  }

  @Test func fieldsAreEncodedAsTheirValues() throws {
    let fields = Fields(text: "\u{E9}", number: -0.5)
    let value: Value = ["number": -0.5, "text": "\u{E9}"]
    #expect(try Value(encoding: fields) == value)
    #expect(try value.decode(Fields.self) == fields)
    let data = try JSONEncoder().encode(fields)
    #expect(try JSONDecoder().decode(Fields.self, from: data) == fields)
  }

  /// `inexactMembers`, which the tests of the domains use.
  @Test func inexactMembersAreFound() throws {
    let found = try inexactMembers(InexactFields.self, ["number": 1.0, "other": "", "text": ""])
    #expect(found == ["number: 0.0", "text: \"\u{E9}\""])
  }

  @Test func statusesCompareTheBytesOfErrors() {
    #expect(Status.failure(error: "\u{E9}") != .failure(error: "e\u{301}"))
    #expect(Status.failure(error: "\u{E9}") == .failure(error: "\u{E9}"))
    let all: [Status] = [.empty, .waiting, .success, .failure(error: "")]
    for (index, status) in all.enumerated() {
      #expect(all.map { $0 == status } == all.indices.map { $0 == index })
    }
  }

  @Test(arguments: [[], ["a"]]) func aMergedRecordChangesItsKey(_ others: [String]) {
    var items: TreeDictionary<String, Item> = [:]
    items.merge(others.map { Item(id: $0) })
    // In one merge, and in several.
    items.merge(Self.accents.map { Item(id: $0) })
    let key = { items.keys.first { $0 != "a" }.map { Array($0.utf8) } }
    #expect(key() == Array("e\u{301}".utf8))
    items.merge([Item(id: "\u{E9}")])
    #expect(key() == Array("\u{E9}".utf8))
    #expect(items.count == others.count + 1)
  }
}
