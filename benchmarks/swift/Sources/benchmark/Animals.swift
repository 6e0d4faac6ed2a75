import AnimalsData
import Foundation
import HashTreeCollections
import ImmutableJSON
import StateEngine

/// Selects the sorted values of 65,536 animals, compared with Foundation's sort.
func measureSort() {
  let state = AnimalsState(animals: .init(data: animals(count: 65_536)))
  let select = AnimalsState.selectAnimalsValues(categoryId: "Mammal", sort: \.name)
  let values = Array(state.animals.data.values)
  var (ours, theirs): ([Animal], [Animal]) = ([], [])
  let times = measureInTurns(
    operations: 1,
    [{ ours = select(state) }, { theirs = values.sorted(using: SortDescriptor(\.name)) }])
  precondition(ours == theirs)
  printRow(
    "sorted values of 65,536 animals", times[0], "Foundation's sorted", times[1], "s",
    goal: "ratio <= 0.2")
}

/// Selects the same values from a store as JSON: after one animal changed, compared with
/// Foundation's sort and encoder, and while nothing changes.
func measureSelect() throws {
  let data = animals(count: 65_536)
  let state = AnimalsState(animals: .init(data: data))
  let values = Array(data.values)
  let store = try AnyStore(AnimalsDomain.self, options: ["state": Value(encoding: state)])
  let encoder = JSONEncoder()
  var (ours, theirs, renames) = (0, 0, 0)
  let arguments: Value = ["categoryId": "Mammal"]
  let times = measureInTurns(
    operations: 1,
    [
      {
        mustSucceed { try store.dispatch(renaming("id7", to: "Badger \(renames)")) }
        renames += 1
        ours = mustSucceed { try store.select("selectAnimalsValues", arguments).utf8JSON.count }
      },
      {
        let sorted = values.sorted(using: SortDescriptor(\.name))
        theirs = mustSucceed { try encoder.encode(sorted).count }
      },
    ])
  precondition(ours > 4_000_000 && theirs > 4_000_000)
  printRow(
    "select of 65,536 sorted animals, one changed", times[0], "Foundation's, JSONEncoder",
    times[1], "s", goal: "ratio <= 0.05")
  let again = measureInTurns(
    operations: 1_024,
    [
      {
        for _ in 0..<1_024 {
          _ = mustSucceed { try store.select("selectAnimalsValues", arguments) }
        }
      }
    ])
  printRow(
    "select of 65,536 sorted animals, unchanged", again[0], "", 0, "s", goal: "ours < 1e-6")
}

private func mustSucceed<Result>(_ body: () throws -> Result) -> Result {
  do {
    return try body()
  } catch {
    fatalError("\(error)")
  }
}

private func renaming(_ id: String, to name: String) -> Value {
  let animal: Value = [
    "animalId": .string(id), "categoryId": "Mammal", "diet": "Omnivore", "name": .string(name),
  ]
  return [
    "type": "data/persistentSession/didUpdateAnimal",
    "payload": ["animalId": .string(id), "result": ["success": ["animal": animal]]],
  ]
}

/// Animals of one category. Their names have three words, and are not in the order of the ids.
private func animals(count: Int) -> TreeDictionary<Animal.ID, Animal> {
  let kinds = ["Southern", "Northern", "Red", "Great", "Lesser", "Common", "Spotted", "Golden"]
  let names = ["gibbon", "kangaroo", "sparrow", "newt", "otter", "lynx", "badger", "hare"]
  return TreeDictionary(
    uniqueKeysWithValues: (0..<count).map { number in
      let name = "\(kinds[number % 8]) \(names[number / 8 % 8]) \(number)"
      let animal = Animal(
        animalId: "id\(number)", name: name, diet: .herbivorous, categoryId: "Mammal")
      return (animal.id, animal)
    })
}
