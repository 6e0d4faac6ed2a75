import AnimalsData
import Foundation
import HashTreeCollections

/// The sorted values of 65,536 animals beside Foundation's sort of the same.
func measureSort() {
  let state = AnimalsState(animals: .init(data: animals(count: 65_536)))
  let select = AnimalsState.selectAnimalsValues(categoryId: "Mammal", sort: \.name)
  let values = Array(state.animals.data.values)
  var (ours, theirs): ([Animal], [Animal]) = ([], [])
  let times = measureInTurns(
    operations: 1,
    [{ ours = select(state) }, { theirs = values.sorted(using: SortDescriptor(\.name, order: .forward)) }])
  precondition(ours == theirs)
  printRow(
    "sorted values of 65,536 animals", times[0], "Foundation's sorted", times[1], "s",
    goal: "ratio <= 0.2")
}

/// Animals of a category with names of up to three words, in no order.
func animals(count: Int) -> TreeDictionary<Animal.ID, Animal> {
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
