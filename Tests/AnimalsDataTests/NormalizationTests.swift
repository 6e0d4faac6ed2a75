import AnimalsData
import ImmutableJSON
import StateEngine
import TestSupport
import Testing

/// Changes of texts to canonically equivalent ones, which Swift's `==` does not see.
@Suite struct NormalizationTests {
  private static let texts = ["\u{E9}", "e\u{301}"]

  private static func animal(_ name: String) -> String {
    #"{"animalId":"1","categoryId":"X","diet":"Omnivore","name":"\#(name)"}"#
  }

  private static func category(_ name: String) -> String {
    #"{"categoryId":"X","name":"\#(name)"}"#
  }

  @Test func recordsCompareAllTheirFieldsAsJSON() throws {
    #expect(try inexactMembers(Animal.self, Value(json: Self.animal("a"))) == [])
    #expect(try inexactMembers(Category.self, Value(json: Self.category("a"))) == [])
  }

  @Test func connectionsCompareTheBytesOfErrors() {
    #expect(Connection.lost(since: 1, error: "\u{E9}") != .lost(since: 1, error: "e\u{301}"))
    #expect(Connection.lost(since: 1, error: "\u{E9}") != .lost(since: 2, error: "\u{E9}"))
    let all: [Connection] = [
      .connecting, .following, .lost(since: 1, error: "a"), .retrying(since: 1, error: "a"),
    ]
    for (index, connection) in all.enumerated() {
      #expect(all.map { $0 == connection } == all.indices.map { $0 == index })
    }
  }

  /// Selects and observes before and after a change from the first text to the second.
  private func check(
    _ selector: String, _ arguments: Value, _ actions: (String) -> [String]
  ) throws {
    let store = try AnyStore.animals(state())
    let observed = Recorder<Value>()
    try store.observe(selector, arguments) { delivery in
      if case .value(let output) = delivery.content { observed.append(output) }
    }
    for text in Self.texts {
      for action in actions(text) { try store.dispatch(Value(json: action)) }
      let output = try store.select(selector, arguments)
      #expect(output.description.utf8.contains(Array(text.utf8)), "\(selector)")
      #expect(observed.all.last == output, "\(selector)")
    }
  }

  @Test(
    arguments: [
      ("selectAnimal", ["animalId": "1"]), ("selectAnimals", ["categoryId": "X"]),
      ("selectAnimalsValues", ["categoryId": "X"]), ("selectCategories", [:]),
      ("selectCategoriesValues", [:]), ("selectCategory", ["categoryId": "X"]),
      ("selectCategory", ["animalId": "1"]),
    ] as [(String, Value)])
  func renamesAreSelected(_ selector: String, _ arguments: Value) throws {
    try self.check(selector, arguments) { text in
      [
        session(
          "didFetchCategories",
          #"{"result":{"success":{"categories":[\#(Self.category(text))]}}}"#),
        session("didFetchAnimals", #"{"result":{"success":{"animals":[\#(Self.animal(text))]}}}"#),
      ]
    }
  }

  @Test(
    arguments: [
      ("didFetchAnimals", "selectAnimalsStatus", [:]),
      ("didFetchCategories", "selectCategoriesStatus", [:]),
      ("didAddAnimal", "selectAnimalStatus", ["animalId": "1"]),
    ] as [(String, String, Value)])
  func errorsAreSelected(_ type: String, _ selector: String, _ arguments: Value) throws {
    try self.check(selector, arguments) { text in
      let id = type == "didAddAnimal" ? #""id":"1","# : ""
      return [session(type, #"{\#(id)"result":{"failure":{"error":"\#(text)"}}}"#)]
    }
  }

  /// The sorted output that is updated is that of a new store with the same state.
  @Test(arguments: seeds(3)) func theOrderDoesNotDependOnThePast(_ seed: Int) throws {
    let names = [
      "\u{AC00}", "\u{AC00}a", "\u{1100}\u{1161}", "\u{E9}a", "e\u{301}", "\u{2126}", "z",
    ]
    var generator = SeededGenerator(seed)
    let store = try AnyStore.animals(state())
    for _ in 0..<60 {
      let id = Int.random(in: 0..<30, using: &generator)
      let name = names.randomElement(using: &generator) ?? ""
      let animal =
        #"{"animalId":"\#(id)","categoryId":"X","diet":"Omnivore","name":"\#(name)"}"#
      try store.dispatch(
        Value(json: session("didReceiveChange", #"{"change":{"saved":{"animal":\#(animal)}}}"#)))
      let fresh = try AnyStore.animals(store.state().description)
      let output = try store.select("selectAnimalsValues", ["categoryId": "X"])
      #expect(try output == fresh.select("selectAnimalsValues", ["categoryId": "X"]))
    }
  }
}

extension Sequence<UInt8> {
  fileprivate func contains(_ bytes: [UInt8]) -> Bool {
    let all = Array(self)
    return all.indices.contains { all[$0...].starts(with: bytes) }
  }
}
