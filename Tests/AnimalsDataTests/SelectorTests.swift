import ImmutableJSON
import ProductSupport
import StateEngine
import Testing

@testable import AnimalsData

@Suite struct SelectorTests {
  static let full = state(
    categories: ["Bird": bird, "Mammal": mammal], categoriesStatus: waiting,
    animals: ["Cat": cat, "Dog": dog], animalsStatus: success, queue: ["Dog": failed])

  @Test(arguments: [
    ("selectCategories", "{}", #"{"Bird":\#(bird),"Mammal":\#(mammal)}"#),
    ("selectCategoriesValues", "{}", "[\(bird),\(mammal)]"),
    ("selectCategoriesValues", #"{"order":"reverse"}"#, "[\(mammal),\(bird)]"),
    ("selectCategoriesValues", #"{"sort":"categoryId"}"#, "[\(bird),\(mammal)]"),
    ("selectCategoriesStatus", "{}", waiting),
    ("selectCategory", #"{"categoryId":"Bird"}"#, bird),
    ("selectCategory", #"{"categoryId":"Fish"}"#, "null"),
    ("selectCategory", #"{"categoryId":null}"#, "null"),
    ("selectCategory", "{}", "null"),
    ("selectCategory", #"{"animalId":"Dog"}"#, mammal),
    ("selectCategory", #"{"animalId":"Cow"}"#, "null"),
    ("selectAnimals", #"{"categoryId":"Mammal"}"#, #"{"Cat":\#(cat),"Dog":\#(dog)}"#),
    ("selectAnimals", #"{"categoryId":null}"#, "{}"),
    ("selectAnimals", #"{"categoryId":"Fish"}"#, "{}"),
    ("selectAnimalsValues", #"{"categoryId":"Mammal"}"#, "[\(cat),\(dog)]"),
    ("selectAnimalsValues", #"{"categoryId":"Mammal","order":"reverse"}"#, "[\(dog),\(cat)]"),
    (
      "selectAnimalsValues", #"{"categoryId":"Mammal","sort":"diet","order":"reverse"}"#,
      "[\(cat),\(dog)]"
    ),
    ("selectAnimalsValues", #"{"categoryId":null}"#, "[]"),
    ("selectAnimalsStatus", "{}", success),
    ("selectAnimal", #"{"animalId":"Dog"}"#, dog),
    ("selectAnimal", #"{"animalId":"Cow"}"#, "null"),
    ("selectAnimal", #"{"animalId":null}"#, "null"),
    ("selectAnimalStatus", #"{"animalId":"Dog"}"#, failed),
    ("selectAnimalStatus", #"{"animalId":"Cat"}"#, "null"),
    ("selectAnimalStatus", #"{"animalId":null}"#, "null"),
  ])
  func outputs(_ selector: String, _ arguments: String, _ output: String) throws {
    let store = try AnyStore.animals(Self.full)
    #expect(try store.select(selector, Value(json: arguments)).description == output)
  }

  @Test(arguments: [
    ("selectAnimals", "categoryId"), ("selectAnimalsValues", "categoryId"),
    ("selectAnimal", "animalId"), ("selectAnimalStatus", "animalId"),
  ])
  func anIdMustNotBeMissing(_ selector: String, _ id: String) throws {
    let error = #expect(throws: EngineError.self) {
      try AnyStore.animals(Self.full).select(selector)
    }
    #expect(error?.code == .invalidArgument)
    #expect(error?.message == #""\#(selector)": arguments: the member "\#(id)" is missing"#)
  }

  @Test func namesAreSortedByTheirBytesAndTiesById() throws {
    let names = ["", "10", "9", "Apple", "Zebra", "_x", "apple", "banana", "Éclair", "éclair"]
    let animals = names.enumerated().shuffled().flatMap { index, name in
      ["b", "a"].map { id in
        Animal(animalId: "\(id)\(index)", name: name, diet: .omnivorous, categoryId: "X")
      }
    }
    let select = AnimalsState.selectAnimalsValues(categoryId: "X", sort: \.name)
    let reversed = AnimalsState.selectAnimalsValues(
      categoryId: "X", sort: \.name, order: .reverse)
    let state = AnimalsState(
      animals: .init(data: .init(uniqueKeysWithValues: animals.map { ($0.id, $0) })))
    let expected = names.indices.flatMap { ["a\($0)", "b\($0)"] }
    #expect(select(state).map(\.id) == expected)
    #expect(
      reversed(state).map(\.id) == names.indices.reversed().flatMap { ["a\($0)", "b\($0)"] })
  }

  private static let pieces = [
    "", "a", "b", "e", "é", "e\u{301}", "\u{301}", "z", "1234567", "\0", "~", "🦊",
  ]

  /// Strings with the same start, ASCII or not, with combining marks.
  @Test(arguments: SortOrder.allCases) func pairsAreSortedByTheirBytes(_ order: SortOrder) {
    let texts = Self.pieces.flatMap { start in Self.pieces.map { start + $0 } }
    let pairs = texts.flatMap { text in
      texts.filter { text.utf8.lexicographicallyPrecedes($0.utf8) }.map { (text, $0) }
    }
    let wrong = pairs.filter { text, other in
      let animals = [(0, other), (1, text)].map(Self.animal)
      let sorted = animals.sorted(by: [.init(order, \.name)]).map(\.name)
      let expected = order == .forward ? [text, other] : [other, text]
      return sorted.map { Array($0.utf8) } != expected.map { Array($0.utf8) }
    }
    #expect(wrong.isEmpty)
  }

  /// Even for strings for which Swift's `<` is not transitive.
  @Test func theOrderDoesNotDependOnTheInitialOrder() {
    let texts = Self.pieces.flatMap { start in Self.pieces.map { "é" + start + $0 } }
    let animals = texts.enumerated().map(Self.animal)
    let sorted = animals.sorted(by: [.init(.forward, \.name)])
    for _ in 0..<20 {
      #expect(animals.shuffled().sorted(by: [.init(.forward, \.name)]) == sorted)
    }
  }

  private static func animal(_ number: Int, _ name: String) -> Animal {
    Animal(animalId: "\(number)", name: name, diet: .omnivorous, categoryId: "X")
  }

  @Test func keysNeedNotBeStrings() {
    let animals = ["ccc", "a", "bb"].map {
      Animal(animalId: $0, name: $0, diet: .omnivorous, categoryId: "X")
    }
    let state = AnimalsState(
      animals: .init(data: .init(uniqueKeysWithValues: animals.map { ($0.id, $0) })))
    let select = AnimalsState.selectAnimalsValues(categoryId: "X", sort: \.name.count)
    #expect(select(state).map(\.id) == ["a", "bb", "ccc"])
  }

  @Test func theSampleDataIsConsistent() {
    #expect(
      SampleData.categories.map(\.name)
        == ["Amphibian", "Bird", "Fish", "Invertebrate", "Mammal", "Reptile"])
    #expect(
      SampleData.animals.map(\.animalId)
        == ["Dog", "Cat", "Kangaroo", "Bibbon", "Sparrow", "Newt"])
    #expect(Set(SampleData.animals.map(\.categoryId)) == ["Mammal", "Bird", "Amphibian"])
  }

  @Test func onlyChangesThatASelectorReadsVisitItsObserver() throws {
    let store = try AnyStore.animals(Self.full)
    try store.observe("selectCategories") { _ in }
    try store.observe("selectAnimalStatus", ["animalId": "Dog"]) { _ in }
    try store.dispatch(
      Value(json: ui("animalList/onTapDeleteSelectedAnimalButton", #"{"animalId":"Dog"}"#)))
    #expect(try store.statistics()["visits"] == 1)
  }
}

@Suite struct FilterTests {
  typealias Session = AnimalsAction.Data.PersistentSession

  static let dog = Animal(
    animalId: "Dog", name: "Dog", diet: .carnivorous, categoryId: "Mammal")
  static let oldState = AnimalsState(animals: .init(data: ["Dog": dog]))

  static func moved(_ id: String, to categoryId: String) -> Animal {
    Animal(animalId: id, name: "x", diet: .omnivorous, categoryId: categoryId)
  }

  @Test(arguments: [
    (Session.didFetchCategories(result: .success(categories: [])), true),
    (.didFetchCategories(result: .failure(error: "")), false),
    (.didReloadSampleData(result: .success(animals: [], categories: [])), true),
    (.didReloadSampleData(result: .failure(error: "")), false),
    (.didFetchAnimals(result: .success(animals: [])), false),
  ])
  func categories(_ action: Session, _ passes: Bool) {
    let filter = AnimalsFilter.filterCategories()
    #expect(filter(Self.oldState, .data(.persistentSession(action))) == passes)
    #expect(!filter(Self.oldState, .ui(.categoryList(.onAppear))))
  }

  @Test(arguments: [
    ("Mammal" as String?, Session.didFetchAnimals(result: .success(animals: [])), true),
    ("Mammal", .didFetchAnimals(result: .failure(error: "")), false),
    ("Mammal", .didReloadSampleData(result: .success(animals: [], categories: [])), true),
    ("Mammal", .didReloadSampleData(result: .failure(error: "")), false),
    ("Mammal", .didFetchCategories(result: .success(categories: [])), false),
    ("Mammal", .didAddAnimal(id: "1", result: .success(animal: dog)), true),
    ("Bird", .didAddAnimal(id: "1", result: .success(animal: dog)), false),
    ("Mammal", .didAddAnimal(id: "1", result: .failure(error: "")), false),
    ("Mammal", .didDeleteAnimal(animalId: "Dog", result: .success(animal: dog)), true),
    ("Bird", .didDeleteAnimal(animalId: "Dog", result: .success(animal: dog)), false),
    ("Mammal", .didDeleteAnimal(animalId: "Dog", result: .failure(error: "")), false),
    // In another category of the state than that of the action.
    ("Mammal", .didAddAnimal(id: "1", result: .success(animal: moved("Dog", to: "Bird"))), true),
    (
      "Mammal",
      .didDeleteAnimal(animalId: "Dog", result: .success(animal: moved("Dog", to: "Bird"))), true
    ),
    ("Mammal", .didReceiveChange(change: .deleted(animal: moved("Dog", to: "Bird"))), true),
    (
      "Mammal",
      .didUpdateAnimal(animalId: "Dog", result: .success(animal: moved("Dog", to: "Bird"))), true
    ),
    (
      "Bird",
      .didUpdateAnimal(animalId: "Dog", result: .success(animal: moved("Dog", to: "Bird"))), true
    ),
    (
      "Fish",
      .didUpdateAnimal(animalId: "Dog", result: .success(animal: moved("Dog", to: "Bird"))), false
    ),
    ("Mammal", .didUpdateAnimal(animalId: "Dog", result: .failure(error: "")), false),
    (nil, .didUpdateAnimal(animalId: "Cow", result: .success(animal: moved("Cow", to: "X"))), true),
    (nil, .didUpdateAnimal(animalId: "Dog", result: .success(animal: dog)), false),
    (nil, .didAddAnimal(id: "1", result: .success(animal: moved("Cow", to: "X"))), false),
  ])
  func animals(_ categoryId: String?, _ action: Session, _ passes: Bool) {
    let filter = AnimalsFilter.filterAnimals(categoryId: categoryId)
    #expect(filter(Self.oldState, .data(.persistentSession(action))) == passes)
    #expect(!filter(Self.oldState, .ui(.animalList(.onAppear))))
  }
}
