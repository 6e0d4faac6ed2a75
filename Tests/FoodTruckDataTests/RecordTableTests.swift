import HashTreeCollections
import Testing

@testable import FoodTruckData

@Suite struct RecordTableTests {
  /// A list of orders: lower case for those that are copies of `Self.orders`, upper case for new
  /// ones with the same ids.
  private func list(_ names: String) -> [Order] {
    names.map { name in
      name.isUppercase
        ? Order(name.lowercased(), .ready) : Self.orders["\(name)"] ?? Order("\(name)")
    }
  }

  private static let orders = Dictionary(
    uniqueKeysWithValues: "abcdef".map { ("\($0)", Order("\($0)")) })

  @Test(arguments: [
    ("", "", "", "", ""), ("", "ab", "", "", "ab"), ("ab", "", "", "ab", ""),
    ("abc", "abc", "", "", ""), ("abc", "aBc", "b", "", ""), ("abc", "ABC", "acb", "", ""),
    ("abc", "abcd", "", "", "d"), ("abc", "dabc", "", "", "d"), ("abc", "abdc", "", "", "d"),
    ("abcd", "abd", "", "c", ""), ("abcd", "bcd", "", "a", ""), ("abcd", "abc", "", "d", ""),
    // Insertion and replacement, in front of and behind it.
    ("abcd", "AbecD", "ad", "", "e"), ("abcd", "dcba", "", "abcd", "dcba"),
    ("abcd", "acbd", "", "bc", "cb"), ("abc", "aBBc", "b", "", "b"), ("ab", "abab", "", "", "ab"),
  ])
  func differences(
    _ old: String, _ new: String, _ replaced: String, _ removed: String, _ inserted: String
  ) {
    let difference = ListDifference(from: self.list(old), to: self.list(new))
    #expect(difference.replaced.map(\.new.id).sorted() == replaced.map { "\($0)" }.sorted())
    #expect(difference.removed.map(\.id).joined() == removed)
    #expect(difference.inserted.map(\.id).joined() == inserted)
  }

  /// Whatever the order of the list, and though each record is in a new box.
  @Test(arguments: ["abcd", "dcba", "bcd", "eabcd", "aBcd", "da"])
  func equalRecordsKeepTheirIdentity(_ names: String) throws {
    let before = self.list("abcd")
    var table = RecordTable(before)
    let copies = self.list(names).map { order in
      var copy = order
      copy.city = order.city
      return copy
    }
    try table.replace(with: copies)
    #expect(Array(table.records.keys).sorted() == copies.map(\.id).sorted())
    for order in before where names.contains(order.id) {
      #expect(table.records[order.id]?.isIdentical(to: order) == true)
    }
    #expect(table.list == copies)
  }

  /// Whatever the previous list, whose order can be that of a dictionary.
  @Test(arguments: ["", "ab", "ba", "abc"])
  func anErrorNamesTheFirstWrongRecord(_ old: String) {
    var table = RecordTable(self.list(old))
    func wrongID(in list: [Order]) -> Order.ID? {
      do throws(RecordTable<Order>.ListError) {
        try table.replace(with: list)
        return nil
      } catch {
        return error.id
      }
    }
    #expect(wrongID(in: self.list("abba")) == "b")
    #expect(wrongID(in: ["c", "a"].map { Order($0, temperature: .nan) }) == "c")
  }

  @Test func tablesWithTheSameRecordsAreEqual() {
    #expect(RecordTable(self.list("ab")) == RecordTable(self.list("ba")))
    #expect(RecordTable(self.list("ab")).hashValue == RecordTable(self.list("ba")).hashValue)
    #expect(RecordTable(self.list("ab")) != RecordTable(self.list("aB")))
    #expect(RecordTable(self.list("abA")).records["a"]?.status == .ready)
  }

  /// The orders of two tables, as the effects of an action compare them.
  @Test(arguments: [
    ("ab", "ab", []), ("ab", "aB", ["b b"]), ("ab", "b", ["a -"]), ("ab", "ba", ["a a", "b b"]),
    ("ab", "Bc", ["- c", "a -", "b b"]),
  ])
  func changes(_ old: String, _ new: String, _ expected: [String]) {
    let changes = RecordTable.changes(
      from: RecordTable(self.list(old)), to: RecordTable(self.list(new)))
    #expect(changes.map { "\($0?.id ?? "-") \($1?.id ?? "-")" }.sorted() == expected)
  }
}
