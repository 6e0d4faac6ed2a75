import ImmutableJSON
import ProductSupport

/// An animal of the zoo.
public struct Animal: RecordValue, Codable, Hashable, Sendable, Identifiable {
  @usableFromInline package struct Fields: Codable, Hashable, Sendable {
    @Exact var animalId: String
    @Exact var name: String
    var diet: Diet
    @Exact var categoryId: String
  }

  @usableFromInline package var record: Record<Fields>

  package init(record: Record<Fields>) {
    self.record = record
  }

  public init(animalId: String, name: String, diet: Diet, categoryId: String) {
    self.record = Record(
      Fields(animalId: animalId, name: name, diet: diet, categoryId: categoryId))
  }

  public var id: String {
    self.animalId
  }

  public var animalId: String {
    get { self.record.fields.animalId }
    set { self.record.fields.animalId = newValue }
  }

  public var name: String {
    get { self.record.fields.name }
    set { self.record.fields.name = newValue }
  }

  public var diet: Diet {
    get { self.record.fields.diet }
    set { self.record.fields.diet = newValue }
  }

  public var categoryId: String {
    get { self.record.fields.categoryId }
    set { self.record.fields.categoryId = newValue }
  }
}

extension Animal {
  package var refusal: String? {
    self.refusal(of: "animalId")
  }
}

extension Animal.Fields: RecordFields {
  private static let memberKeys = MemberKeys(["animalId", "name", "diet", "categoryId"])

  private enum Keys {
    static let animalId = ObjectKey("animalId")
    static let name = ObjectKey("name")
    static let diet = ObjectKey("diet")
    static let categoryId = ObjectKey("categoryId")
  }

  package init(from members: MemberDecoder) throws {
    self.animalId = try members.decode(Keys.animalId)
    self.name = try members.decode(Keys.name)
    self.diet = try members.decode(Keys.diet)
    self.categoryId = try members.decode(Keys.categoryId)
  }

  package func representation() -> Value {
    Self.memberKeys.object([
      .string(self.animalId), .string(self.name), .string(self.diet.rawValue),
      .string(self.categoryId),
    ])
  }
}

/// What an animal eats.
public enum Diet: String, Codable, Hashable, Sendable, CaseIterable {
  case herbivorous = "Herbivore"
  case carnivorous = "Carnivore"
  case omnivorous = "Omnivore"
}
