import ImmutableJSON
import ProductSupport
import StateEngine
import TestSupport
import Testing

@testable import AnimalsData

/// The sorted selectors of a store update their previous output. After random actions, the output
/// is that of a plain sort.
@Suite struct SortedSelectorTests {
  fileprivate static let names = ["Dog", "dog", "", "Émeu", "A\u{30A}", "Zebra", "Ape", "Ape 2"]
  fileprivate static let categories = ["Mammal", "Bird", "Fish"]

  private struct Session {
    let store: AnyStore
    var generator: SeededGenerator

    init(seed: Int) throws {
      self.store = try .animals(state())
      self.generator = SeededGenerator(seed)
    }

    mutating func animal() -> String {
      let id = Int.random(in: 0..<60, using: &self.generator)
      let name = SortedSelectorTests.names.randomElement(using: &self.generator) ?? ""
      let category = SortedSelectorTests.categories.randomElement(using: &self.generator) ?? ""
      let diet = ["Herbivore", "Omnivore"].randomElement(using: &self.generator) ?? ""
      return #"{"animalId":"\#(id)","categoryId":"\#(category)","#
        + #""diet":"\#(diet)","name":"\#(name)"}"#
    }

    mutating func animals(_ count: Int) -> String {
      "[\((0..<count).map { _ in self.animal() }.joined(separator: ","))]"
    }

    mutating func action() -> String {
      let animal = self.animal()
      switch Int.random(in: 0..<20, using: &self.generator) {
      case 0:
        return session(
          "didReloadSampleData",
          #"{"result":{"success":{"animals":\#(self.animals(20)),"categories":[]}}}"#)
      case 1:
        return session(
          "didFetchAnimals", #"{"result":{"success":{"animals":\#(self.animals(40))}}}"#)
      case 2...5:
        return session("didReceiveChange", #"{"change":{"deleted":{"animal":\#(animal)}}}"#)
      case 6...12:
        return session("didReceiveChange", #"{"change":{"saved":{"animal":\#(animal)}}}"#)
      case 13: return ui("animalList/onAppear")
      default:
        return session(
          "didUpdateAnimal", #"{"animalId":"7","result":{"success":{"animal":\#(animal)}}}"#)
      }
    }

    func expectAgreement() throws {
      let state = try self.store.state().decode(AnimalsState.self)
      for category in SortedSelectorTests.categories.prefix(2) {
        for order in SortOrder.allCases {
          let arguments: Value = [
            "categoryId": .string(category), "order": .string(order.rawValue),
          ]
          let byName = AnimalsState.selectAnimalsValues(
            categoryId: category, sort: \.name, order: order)
          #expect(
            try self.store.select("selectAnimalsValues", arguments)
              == Value(encoding: byName(state)))
        }
      }
      let byDiet = AnimalsState.selectAnimalsValues(categoryId: "Fish", sort: \.diet.rawValue)
      #expect(
        try self.store.select("selectAnimalsValues", ["categoryId": "Fish", "sort": "diet"])
          == Value(encoding: byDiet(state)))
    }
  }

  @Test(arguments: seeds(3)) func outputsAreThoseOfAPlainSort(_ seed: Int) throws {
    var session = try Session(seed: seed)
    let observed = Recorder<Value>()
    try session.store.observe("selectAnimalsValues", ["categoryId": "Bird"]) { delivery in
      if case .value(let output) = delivery.content { observed.append(output) }
    }
    for _ in 0..<40 {
      try session.store.dispatch(Value(json: session.action()))
      try session.expectAgreement()
      let latest = try session.store.select("selectAnimalsValues", ["categoryId": "Bird"])
      #expect(latest == observed.all.last ?? [])
    }
  }

  @Test func categoriesAreUpdated() throws {
    let store = try AnyStore.animals(state(categories: ["Bird": bird, "Mammal": mammal]))
    #expect(
      try store.select("selectCategoriesValues") == Value(json: "[\(bird),\(mammal)]"))
    try store.dispatch(
      Value(
        json: session(
          "didFetchCategories",
          #"{"result":{"success":{"categories":[{"categoryId":"Bird","name":"Owls"}]}}}"#)))
    #expect(
      try store.select("selectCategoriesValues").description
        == #"[\#(mammal),{"categoryId":"Bird","name":"Owls"}]"#)
  }

  /// An output shares what has not changed with the previous one, so their difference is small and
  /// found quickly.
  @Test func outputsShareUnchangedAnimals() throws {
    let animals = (0..<1_000).map {
      Animal(animalId: "\($0)", name: "A\($0)", diet: .omnivorous, categoryId: "X")
    }
    let state = AnimalsState(
      animals: .init(data: .init(uniqueKeysWithValues: animals.map { ($0.id, $0) })))
    let store = try AnyStore(
      EffectlessAnimalsDomain.self, options: ["state": Value(encoding: state)])
    let before = try store.select("selectAnimalsValues", ["categoryId": "X"])
    let changed = #"{"animalId":"500","categoryId":"X","diet":"Herbivore","name":"A500"}"#
    try store.dispatch(
      Value(json: session("didReceiveChange", #"{"change":{"saved":{"animal":\#(changed)}}}"#)))
    let after = try store.select("selectAnimalsValues", ["categoryId": "X"])
    var budget = WorkBudget(200)
    #expect(
      try before.diff(to: after, &budget).description
        == #"[{"op":"replace","path":"/447/diet","value":"Herbivore"}]"#)
  }
}
