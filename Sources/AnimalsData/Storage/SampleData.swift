/// The initial categories and animals of a new store, in this order.
public enum SampleData {
  public static var categories: [Category] {
    ["Amphibian", "Bird", "Fish", "Invertebrate", "Mammal", "Reptile"].map { name in
      Category(categoryId: name, name: name)
    }
  }

  public static var animals: [Animal] {
    [
      Animal(animalId: "Dog", name: "Dog", diet: .carnivorous, categoryId: "Mammal"),
      Animal(animalId: "Cat", name: "Cat", diet: .carnivorous, categoryId: "Mammal"),
      Animal(
        animalId: "Kangaroo", name: "Red kangaroo", diet: .herbivorous, categoryId: "Mammal"),
      // Clients expect this spelling.
      Animal(
        animalId: "Bibbon", name: "Southern gibbon", diet: .herbivorous, categoryId: "Mammal"),
      Animal(animalId: "Sparrow", name: "House sparrow", diet: .omnivorous, categoryId: "Bird"),
      Animal(animalId: "Newt", name: "Newt", diet: .carnivorous, categoryId: "Amphibian"),
    ]
  }
}
