import ImmutableJSON
import ProductSupport

/// A category of animals.
public struct Category: Hashable, Sendable, Identifiable {
  fileprivate struct Fields: Codable, Hashable, Sendable {
    @Exact var categoryId: String
    @Exact var name: String
  }

  private var record: Record<Fields>

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

extension Category.Fields: RecordFields {
  private static let memberKeys = MemberKeys(["categoryId", "name"])

  private enum Keys {
    static let categoryId = ObjectKey("categoryId")
    static let name = ObjectKey("name")
  }

  init(from members: MemberDecoder) throws {
    self.categoryId = try members.decode(Keys.categoryId)
    self.name = try members.decode(Keys.name)
  }

  func representation() -> Value {
    Self.memberKeys.object([.string(self.categoryId), .string(self.name)])
  }
}

extension Category: Codable {
  public init(from decoder: any Decoder) throws {
    self.record = try Record(from: decoder)
    guard !self.id.containsNUL else {
      let reason = "the categoryId \(quoted(self.id)) contains U+0000, which a key must not contain"
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: reason))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    try self.record.encode(to: encoder)
  }
}

extension Category: ValueRepresentable {
  package func representation() throws -> Value {
    try self.record.representation()
  }
}

extension Category: IdentityComparable {
  public static func == (left: Category, right: Category) -> Bool {
    left.isIdentical(to: right) || Differences.report(left, right) || left.record == right.record
  }

  @usableFromInline package func isIdentical(to other: Category) -> Bool {
    self.record.isIdentical(to: other.record)
  }
}

extension Category: CustomReflectable {
  public var customMirror: Mirror {
    self.record.mirror(of: self)
  }
}
