import AnimalsData
import Foundation
import ImmutableJSON
import TestSupport
import Testing

@Suite struct RecordTests {
  private let animal = Animal(
    animalId: "Dog", name: "Dog", diet: .carnivorous, categoryId: "Mammal")

  @Test func aRecordIsEncodedOnce() throws {
    let copy = self.animal
    #expect(try Value(encoding: self.animal).isIdentical(to: Value(encoding: copy)))
    let others = try Value(encoding: ["dog": self.animal])
    #expect(try others["dog"]?.isIdentical(to: Value(encoding: copy)) == true)
  }

  @Test func aChangedRecordIsEncodedAgain() throws {
    var changed = self.animal
    #expect(try Value(encoding: changed)["name"] == "Dog")
    changed.name = "Hound"
    #expect(try Value(encoding: changed)["name"] == "Hound")
    #expect(try Value(encoding: self.animal)["name"] == "Dog")
  }

  @Test func otherEncodersWriteTheSame() throws {
    let text = String(decoding: try JSONEncoder().encode(self.animal), as: UTF8.self)
    #expect(try Value(json: text) == Value(encoding: self.animal))
    let category = Category(categoryId: "Bird", name: "Bird")
    let other = String(decoding: try JSONEncoder().encode(category), as: UTF8.self)
    #expect(try Value(json: other) == Value(encoding: category))
  }

  @Test func aRecordIsPrintedByItsFields() {
    let animal =
      #"Animal(animalId: "Dog", name: "Dog", "#
      + #"diet: AnimalsData.Diet.carnivorous, categoryId: "Mammal")"#
    #expect("\(self.animal)" == animal)
    #expect(String(reflecting: [self.animal]) == "[AnimalsData.\(animal)]")
    let category = Category(categoryId: "Bird", name: "Bird")
    #expect("\(category)" == #"Category(categoryId: "Bird", name: "Bird")"#)
    var dumped = ""
    dump(category, to: &dumped)
    #expect(dumped == "▿ AnimalsData.Category\n  - categoryId: \"Bird\"\n  - name: \"Bird\"\n")
    #expect("\(AnimalsState(animals: .init(data: ["Dog": self.animal])))".contains(animal))
  }

  @Test func otherDecodersReadTheSame() throws {
    #expect(try differences(Animal.self, Value(encoding: self.animal)).isEmpty)
    let category = Category(categoryId: "Bird", name: "Bird")
    #expect(try differences(Category.self, Value(encoding: category)).isEmpty)
  }
}
