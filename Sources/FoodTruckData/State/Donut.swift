import ImmutableJSON
import ProductSupport

/// A donut on the menu.
public struct Donut: RecordValue, Codable, Hashable, Sendable, Identifiable {
  @usableFromInline package struct Fields: Codable, Hashable, Sendable {
    var id: Int
    @Exact var name: String
    var dough: Dough
    var glaze: Glaze?
    var topping: Topping?
  }

  @usableFromInline package var record: Record<Fields>

  package init(record: Record<Fields>) {
    self.record = record
  }

  public init(id: Int, name: String, dough: Dough, glaze: Glaze? = nil, topping: Topping? = nil) {
    self.record = Record(Fields(id: id, name: name, dough: dough, glaze: glaze, topping: topping))
  }

  public var id: Int {
    self.record.fields.id
  }

  public var name: String {
    get { self.record.fields.name }
    set { self.record.fields.name = newValue }
  }

  public var dough: Dough {
    get { self.record.fields.dough }
    set { self.record.fields.dough = newValue }
  }

  public var glaze: Glaze? {
    get { self.record.fields.glaze }
    set { self.record.fields.glaze = newValue }
  }

  public var topping: Topping? {
    get { self.record.fields.topping }
    set { self.record.fields.topping = newValue }
  }
}

extension Donut {
  /// The display names of the ingredients.
  var ingredientNames: [String] {
    [self.dough.displayName, self.glaze?.displayName, self.topping?.displayName].compactMap(\.self)
  }
}

extension Donut: TableRecord {
  var isRepresentable: Bool {
    true
  }
}

extension Donut.Fields: RecordFields {
  private enum Keys {
    static let id = ObjectKey("id")
    static let name = ObjectKey("name")
    static let dough = ObjectKey("dough")
    static let glaze = ObjectKey("glaze")
    static let topping = ObjectKey("topping")
  }

  package init(from members: MemberDecoder) throws {
    self.id = try members.decode(Keys.id)
    self.name = try members.decode(Keys.name)
    self.dough = try members.decode(Keys.dough)
    self.glaze = try members.decodeIfPresent(Keys.glaze)
    self.topping = try members.decodeIfPresent(Keys.topping)
  }
}
