import ImmutableJSON
import ProductSupport

/// A category of animals.
public struct Category: RecordValue, Codable, Hashable, Sendable, Identifiable {
  @usableFromInline package struct Fields: Codable, Hashable, Sendable {
    @Exact var categoryId: String
    @Exact var name: String
  }

  @usableFromInline package var record: Record<Fields>

  package init(record: Record<Fields>) {
    self.record = record
  }

  public init(categoryId: String, name: String) {
    self.record = Record(Fields(categoryId: categoryId, name: name))
  }

  public var id: String {
    self.categoryId
  }

  public var categoryId: String {
    get { self.record.fields.categoryId }
    set { self.record.fields.categoryId = newValue }
  }

  public var name: String {
    get { self.record.fields.name }
    set { self.record.fields.name = newValue }
  }
}

extension Category {
  package var refusal: String? {
    self.refusal(of: "categoryId")
  }
}

extension Category.Fields: RecordFields {
  private static let memberKeys = MemberKeys(["categoryId", "name"])

  private enum Keys {
    static let categoryId = ObjectKey("categoryId")
    static let name = ObjectKey("name")
  }

  package init(from members: MemberDecoder) throws {
    self.categoryId = try members.decode(Keys.categoryId)
    self.name = try members.decode(Keys.name)
  }

  package func representation() -> Value {
    Self.memberKeys.object([.string(self.categoryId), .string(self.name)])
  }
}
