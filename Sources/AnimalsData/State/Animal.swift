import ImmutableJSON
import ProductSupport

/// An animal of the zoo.
public struct Animal: Hashable, Sendable, Identifiable {
  fileprivate struct Fields: Codable, Hashable, Sendable {
    @Exact var animalId: String
    @Exact var name: String
    var diet: Diet
    @Exact var categoryId: String
  }

  private var record: Record<Fields>

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

extension Animal.Fields: RecordFields {
  private static let memberKeys = MemberKeys(["animalId", "name", "diet", "categoryId"])

  private enum Keys {
    static let animalId = ObjectKey("animalId")
    static let name = ObjectKey("name")
    static let diet = ObjectKey("diet")
    static let categoryId = ObjectKey("categoryId")
  }

  init(from members: MemberDecoder) throws {
    self.animalId = try members.decode(Keys.animalId)
    self.name = try members.decode(Keys.name)
    self.diet = try members.decode(Keys.diet)
    self.categoryId = try members.decode(Keys.categoryId)
  }

  func representation() -> Value {
    Self.memberKeys.object([
      .string(self.animalId), .string(self.name), .string(self.diet.rawValue),
      .string(self.categoryId),
    ])
  }
}

extension Animal: Codable {
  public init(from decoder: any Decoder) throws {
    self.record = try Record(from: decoder)
    guard !self.id.containsNUL else {
      let reason = "the animalId \(quoted(self.id)) contains U+0000, which a key must not contain"
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: reason))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    try self.record.encode(to: encoder)
  }
}

extension Animal: ValueRepresentable {
  package func representation() throws -> Value {
    try self.record.representation()
  }
}

extension Animal: IdentityComparable {
  public static func == (left: Animal, right: Animal) -> Bool {
    left.isIdentical(to: right) || Differences.report(left, right) || left.record == right.record
  }

  @usableFromInline package func isIdentical(to other: Animal) -> Bool {
    self.record.isIdentical(to: other.record)
  }
}

extension Animal: CustomReflectable {
  public var customMirror: Mirror {
    self.record.mirror(of: self)
  }
}

/// What an animal eats.
public enum Diet: String, Codable, Hashable, Sendable, CaseIterable {
  case herbivorous = "Herbivore"
  case carnivorous = "Carnivore"
  case omnivorous = "Omnivore"
}
