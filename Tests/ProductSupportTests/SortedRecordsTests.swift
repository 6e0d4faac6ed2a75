import HashTreeCollections
import ImmutableJSON
import TestSupport
import Testing

@testable import ProductSupport

/// A record for sorting, in a box.
private struct Note: Identifiable, Encodable, IdentityComparable, Sendable {
  struct Fields: Codable, Hashable, Sendable {
    var id: String
    var text: String
    var number: Int64
  }

  private let record: Record<Fields>

  init(_ id: String, _ text: String, _ number: Int64 = 0) {
    self.record = Record(Fields(id: id, text: text, number: number))
  }

  var id: String { self.record.fields.id }
  var text: String { self.record.fields.text }
  var number: Int64 { self.record.fields.number }

  static func == (left: Note, right: Note) -> Bool {
    left.isIdentical(to: right) || Differences.report(left, right) || left.record == right.record
  }

  func isIdentical(to other: Note) -> Bool {
    self.record.isIdentical(to: other.record)
  }

  func encode(to encoder: any Encoder) throws {
    try self.record.fields.encode(to: encoder)
  }
}

private typealias Notes = TreeDictionary<String, Note>
private typealias Memo = SortedRecords<String, Note>

extension SeededGenerator {
  fileprivate mutating func below(_ bound: Int) -> Int {
    Int.random(in: 0..<bound, using: &self)
  }

  /// One of few numbers and texts, so that many are equal.
  fileprivate mutating func note(_ id: String, texts: [String]) -> Note {
    Note(id, texts[self.below(texts.count)], Int64(self.below(4)))
  }

  /// Changes, inserts and removes some records.
  fileprivate mutating func change(_ notes: inout Notes, ids: Int, texts: [String]) {
    // Mostly one to three, sometimes so many that all are sorted again.
    for _ in 0..<(self.isOne(in: 8) ? ids : 1 + self.below(3)) {
      let id = "\(self.below(ids))"
      notes[id] = self.isOne(in: 3) ? nil : self.note(id, texts: texts)
    }
  }
}

@Suite struct SortedRecordsTests {
  // Swift's `<` is not transitive for all of these.
  private static let texts = [
    "", "a", "ab", "abcdefgh", "abcdefghi", "Z", "é", "éa", "ß", "東", "й", "e\u{301}",
    "éa\u{301}", "a\u{323}\u{301}",
  ]

  private func check(
    _ keys: [SortKey<Note>], ids: Int, texts: [String], seed: Int
  ) throws {
    var generator = SeededGenerator(seed)
    let isIncluded = { @Sendable (note: Note) in note.number != 3 }
    var notes: Notes = [:]
    var memo: Memo?
    for _ in 0..<60 {
      generator.change(&notes, ids: ids, texts: texts)
      let output = try Memo.select(notes, updating: &memo) {
        SortedRecords(by: keys, where: isIncluded)
      }
      #expect(try output == Value(encoding: notes.values.filter(isIncluded).sorted(by: keys)))
    }
  }

  @Test(arguments: seeds(4), SortOrder.allCases)
  func changesAreSortedAsInAPlainSort(_ seed: Int, _ order: SortOrder) throws {
    let keys: [SortKey<Note>] = [.init(order, \.number), .init(.forward, \.text)]
    let ids = seed % 2 == 0 ? 20 : 400
    try self.check(keys, ids: ids, texts: Self.texts, seed: seed)
    try self.check([.init(order, \.text)], ids: ids, texts: Self.texts, seed: seed)
  }

  @Test func noKeysSortById() throws {
    try self.check([], ids: 50, texts: [""], seed: 7)
  }

  /// Chunks are split and removed.
  @Test func aListGrowsAndShrinks() throws {
    var generator = SeededGenerator(3)
    var notes: Notes = [:]
    var memo: Memo?
    let numbers = (0..<1_000).shuffled(using: &generator)
    for (order, isInsertion) in [(numbers, true), (numbers.shuffled(using: &generator), false)] {
      for (step, number) in order.enumerated() {
        notes["\(number)"] = isInsertion ? Note("\(number)", "", Int64(number)) : nil
        let output = try Memo.select(notes, updating: &memo) {
          SortedRecords(by: [.init(.forward, \.number)])
        }
        if step % 100 == 0 || notes.count < 3 {
          let sorted = notes.values.sorted(by: [.init(.forward, \.number)])
          #expect(try output == Value(encoding: sorted))
        }
      }
    }
    #expect(notes.isEmpty)
  }

  /// Records whose ids differ from their keys can be equal in the order.
  @Test func recordsWithOneIdAreDistinguished() throws {
    var notes: Notes = [:]
    for key in 0..<40 { notes["\(key)"] = Note("same", "") }
    var memo: Memo?
    for key in 0..<40 {
      notes["\(key)"] = key % 2 == 0 ? nil : Note("same", "", Int64(key))
      let output = try Memo.select(notes, updating: &memo) { SortedRecords(by: []) }
      guard case .array(let elements) = output else {
        Issue.record("\(output) is not an array")
        return
      }
      let numbers = elements.map { $0["number"]?.description ?? "" }
      #expect(numbers.sorted() == notes.values.map { "\($0.number)" }.sorted())
    }
  }

  @Test func onlyChangedRecordsAreEncoded() throws {
    let encoded = Recorder<String>()
    var notes = Notes(
      uniqueKeysWithValues: (0..<1_000).map { ("\($0)", Note("\($0)", "a", Int64($0))) })
    var memo: Memo?
    func select() throws -> Value {
      try Memo.select(notes, updating: &memo) {
        SortedRecords(by: [.init(.forward, \.number)]) { _ in
          true
        } encode: { note in
          encoded.append(note.id)
          return try Value(encoding: note)
        }
      }
    }
    let first = try select()
    #expect(encoded.all.count == 1_000)
    notes["7"] = Note("7", "b", 7)
    let second = try select()
    #expect(encoded.all.dropFirst(1_000) == ["7"])
    #expect(
      try first.diff(to: second).description
        == #"[{"op":"replace","path":"/7/text","value":"b"}]"#)
    #expect(try select().isIdentical(to: second))
    #expect(encoded.all.count == 1_001)
  }

  @Test func aFailedUpdateLeavesTheMemo() throws {
    struct Refused: Error {}
    var notes: Notes = ["1": Note("1", "a")]
    var memo: Memo?
    func select() throws -> String {
      let selected = try Memo.select(notes, updating: &memo) {
        SortedRecords(by: []) { _ in
          true
        } encode: { note in
          if note.text == "bad" { throw Refused() }
          return .string(note.text)
        }
      }
      return selected.description
    }
    #expect(try select() == #"["a"]"#)
    notes["1"] = Note("1", "bad")
    #expect(throws: Refused.self) { try select() }
    notes["1"] = Note("1", "b")
    notes["2"] = Note("2", "c")
    #expect(try select() == #"["b","c"]"#)
  }

  // MARK: Parts

  @Test(arguments: seeds(6)) func changesBetweenVersions(_ seed: Int) {
    var generator = SeededGenerator(seed)
    let ids = [3, 40, 2_000][seed % 3]
    var old = Notes(
      uniqueKeysWithValues: (0..<generator.below(ids)).map { ("\($0)", Note("\($0)", "")) })
    for _ in 0..<20 {
      var new = old
      generator.change(&new, ids: ids, texts: [""])
      let changes = Notes.changes(from: old, to: new, limit: .max) ?? []
      func shown(_ old: Note?, _ new: Note?) -> String {
        "\(old.map { "\($0.id) \($0.number)" } ?? "-") \(new.map { "\($0.number)" } ?? "-") "
          + (new?.id ?? "")
      }
      let expected = Set(old.keys).union(new.keys).compactMap { key -> String? in
        let (before, after) = (old[key], new[key])
        if let before, let after, before.isIdentical(to: after) { return nil }
        return shown(before, after)
      }
      #expect(changes.map { shown($0.old, $0.new) }.sorted() == expected.sorted())
      #expect(Notes.changes(from: old, to: new, limit: expected.count)?.count == expected.count)
      let fewer = Notes.changes(from: old, to: new, limit: expected.count - 1)
      #expect(expected.isEmpty || fewer == nil)
      old = new
    }
  }

  private func differences<Element>(
    _ left: [Note], _ right: [Note], of type: Element.Type, limit: Int
  ) -> [(Element, Element)]? {
    Differences.collect(of: type, limit: limit) { left == right }
  }

  @Test func differencesAreCollectedByOneComparisonOnly() {
    let (a, b) = (Note("1", "a"), Note("1", "b"))
    #expect(a != b)
    #expect(differences([a, a], [a, b], of: Note.self, limit: 1)?.count == 1)
    #expect(differences([a, a], [b, b], of: Note.self, limit: 1) == nil)
    #expect(differences([a, a], [b], of: Note.self, limit: 9) == nil)
    // Beyond the limit values are compared as usual. These are equal, but were not collected.
    let equal = Note("1", "e\u{301}")
    #expect(differences([equal], [Note("1", "é")], of: Note.self, limit: 0) == nil)
    // Of another type.
    #expect(differences([a], [b], of: Int.self, limit: 9) == nil)
    #expect(a != b)
    #expect(Note("1", "a") == a)
  }
}
