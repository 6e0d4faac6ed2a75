import AnimalsData
import ImmutableJSON
import StateEngine
import TestSupport
import Testing

/// Observers that name a filter, and observers of one record.
@Suite struct NamedFilterTests {
  private static let dog =
    #"{"animalId":"Dog","name":"Dog","diet":"Carnivore","categoryId":"Mammal"}"#
  private static let movedDog =
    #"{"animalId":"Dog","name":"Dog","diet":"Carnivore","categoryId":"Bird"}"#

  private let store: AnyStore

  init() throws {
    self.store = try AnyStore.animals(
      #"{"categories":{"data":{}},"animals":{"data":{"Dog":\#(Self.dog)},"queue":{}}}"#)
  }

  private func count(_ filter: String, _ categoryId: String, _ actions: [Value]) throws -> Int {
    let outputs = Recorder<Delivery>()
    try self.store.observe(
      "selectAnimals", ["categoryId": .string(categoryId)],
      ObservationOptions(["filter": .string(filter), "initial": false])
    ) { outputs.append($0) }
    for action in actions { try self.store.dispatch(action) }
    return outputs.all.count
  }

  private static func update(_ animal: String) throws -> Value {
    try Value(
      json: #"{"type":"data/persistentSession/didUpdateAnimal","payload":{"animalId":"Dog","#
        + #""result":{"success":{"animal":\#(animal)}}}}"#)
  }

  @Test(arguments: [
    // The animal leaves the category of the old state, and enters that of the action.
    ("filterAnimals", "Mammal", 1), ("filterAnimals", "Bird", 1), ("filterAnimals", "Fish", 0),
    ("filterCategories", "Mammal", 0),
  ])
  func anAnimalThatMoves(_ filter: String, _ categoryId: String, _ expected: Int) throws {
    #expect(try self.count(filter, categoryId, [Self.update(Self.movedDog)]) == expected)
  }

  @Test func theIdOfTheFilterMustNotBeMissing() throws {
    try self.store.define("count", "length(keys(animals.data))")
    let error = #expect(throws: EngineError.self) {
      try self.store.observe("count", [:], ObservationOptions(["filter": "filterAnimals"])) { _ in }
    }
    #expect(error?.code == .invalidArgument)
    #expect(
      error?.message
        == #"options/filter: "filterAnimals": arguments: the member "categoryId" is missing"#)
  }

  @Test func onlyTheObserversOfTheAnimalAreVisited() throws {
    for id in ["Dog", "Cat", "Cow"] {
      for selector in ["selectAnimal", "selectAnimalStatus", "selectCategory"] {
        try self.store.observe(selector, ["animalId": .string(id)]) { _ in }
      }
    }
    try self.store.dispatch(Self.update(Self.movedDog))
    #expect(try self.store.statistics()["visits"] == 3)
  }
}
