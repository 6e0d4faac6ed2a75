import ProductSupport
import TestSupport
import Testing

@Suite struct SortKeyTests {
  struct Item: Identifiable, Encodable, Equatable, Sendable {
    let id: String
    var name = ""
    var number: Int64 = 0
    var double = 0.0
  }

  private let doubles: [Double] = [
    -.infinity, -.greatestFiniteMagnitude, -1.5, -.leastNonzeroMagnitude, 0,
    .leastNonzeroMagnitude, 1, 1.5, .greatestFiniteMagnitude, .infinity, .nan,
  ]

  @Test func doublesAreInNumericalOrder() {
    let items = self.doubles.enumerated().map { Item(id: "\(10 + $0.offset)", double: $0.element) }
    let key = SortKey<Item>(.forward, \.double)
    #expect(items.shuffled().sorted(by: [key]).map(\.id) == items.map(\.id))
    let reversed = SortKey<Item>(.reverse, \.double)
    #expect(items.shuffled().sorted(by: [reversed]).map(\.id) == items.map(\.id).reversed())
  }

  @Test(arguments: [SortOrder.forward, .reverse]) func tiesAreOrderedById(_ order: SortOrder) {
    let ids = ["", "A", "B", "Z", "a", "e\u{301}", "é", "😀"]
    let items = ids.map { Item(id: $0, name: "same", double: $0 < "a" ? -0.0 : 0) }
    let keys: [SortKey<Item>] = [.init(order, \.double), .init(order, \.name)]
    for _ in 0..<20 {
      #expect(
        items.shuffled().sorted(by: keys).map { Array($0.id.utf8) } == ids.map { Array($0.utf8) })
    }
    #expect(items.shuffled().sorted(by: []).map(\.id) == ids)
  }

  /// Not by that of a table, which differs in each process.
  @Test func elementsWithTheSameIdAreOrderedByTheirJSON() {
    let items = (10..<100).map { Item(id: "same", number: $0) }
    #expect(items.shuffled().sorted(by: []) == items)
    #expect(items.shuffled().first(10, sortedBy: []) == Array(items.prefix(10)))
    #expect(items.shuffled().sorted(by: [SortKey(.reverse, \.name)]) == items)
  }

  @Test func textIsOrderedByItsBytes() {
    let names = [
      "", "\0", "\0\0", "12345678", "12345678\0", "123456789", "1234567890", "A", "B", "a",
      "e\u{301}", "z",
      "é", "ｱ", "😀",
    ]
    let items = names.map { Item(id: "x", name: $0) }
    #expect(
      items.shuffled().sorted(by: [.init(.forward, \.name)]).map { Array($0.name.utf8) }
        == names.map { Array($0.utf8) })
    #expect(
      items.shuffled().sorted(by: [.init(.reverse, \.name)]).map { Array($0.name.utf8) }
        == names.reversed().map { Array($0.utf8) })
  }

  /// Texts that share many bytes, end at different places, or differ only by U+0000.
  @Test(arguments: [SortOrder.forward, .reverse]) func longTextIsOrderedByItsBytes(
    _ order: SortOrder
  ) {
    var generator = SeededGenerator(2)
    for _ in 0..<100 {
      let start = String(repeating: "é", count: Int.random(in: 0...12, using: &generator))
      let items = (0..<Int.random(in: 0...80, using: &generator)).map { _ in
        let end = (0..<Int.random(in: 0...10, using: &generator)).map { _ in
          ["\0", "a", "ü"].randomElement(using: &generator)!
        }
        // The ids are texts of the same kind.
        return Item(id: String(end.joined().reversed()), name: start + end.joined())
      }
      let expected = items.stablySorted { $0.id.utf8.lexicographicallyPrecedes($1.id.utf8) }
        .stablySorted { left, right in
          let (first, second) = order == .forward ? (left, right) : (right, left)
          return first.name.utf8.lexicographicallyPrecedes(second.name.utf8)
        }
      let keys: [SortKey<Item>] = [.init(order, \.name)]
      #expect(items.sorted(by: keys) == expected)
      #expect(items.first(7, sortedBy: keys) == Array(expected.prefix(7)))
    }
  }

  /// Compares with a sort by the last key, then the one before, and so on, each of them stable.
  @Test func laterKeysOrderTies() {
    var generator = SeededGenerator(1)
    for _ in 0..<200 {
      let items = (0..<Int.random(in: 0...60, using: &generator)).map { index in
        Item(
          id: "\(index)", name: ["a", "aaaaaaaab", "aaaaaaaac"].randomElement(using: &generator)!,
          number: [.min, -1, 0, .max].randomElement(using: &generator)!,
          double: [-1, -0.0, 0].randomElement(using: &generator)!)
      }
      let keys: [SortKey<Item>] = [
        .init(.reverse, \.name), .init(.forward, \.number), .init(.reverse, \.double),
      ]
      let expected = items.sorted { $0.id < $1.id }
        .stablySorted { $0.double > $1.double }
        .stablySorted { $0.number < $1.number }
        .stablySorted { $0.name > $1.name }
      #expect(items.sorted(by: keys) == expected)
      for count in [.min, -1, 0, 1, 5, items.count, items.count + 1, .max] {
        #expect(items.first(count, sortedBy: keys) == Array(expected.prefix(max(count, 0))))
      }
    }
  }

  /// The first 5 of 65,536 elements in descending order: each belongs before all earlier ones.
  @Test func theFirstOfManyAreThoseOfASort() {
    let items = (0..<65_536).map { Item(id: "\($0)", number: -$0) }
    #expect(
      items.first(5, sortedBy: [.init(.forward, \.number)]) == Array(items.reversed().prefix(5)))
    #expect(items.first(5, sortedBy: [.init(.reverse, \.number)]) == Array(items.prefix(5)))
  }
}

extension [SortKeyTests.Item] {
  /// An insertion sort.
  func stablySorted(by areInOrder: (Element, Element) -> Bool) -> Self {
    self.reduce(into: []) { sorted, item in
      sorted.insert(item, at: sorted.lastIndex { !areInOrder(item, $0) }.map { $0 + 1 } ?? 0)
    }
  }
}
