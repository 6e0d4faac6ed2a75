import ImmutableJSON

/// What a type asked for in one value while it was decoded.
///
/// A type may use several containers for one value: each adds to the record.
final class ShapeRecord {
  private enum Content {
    case nothing
    case schema(Schema)
    case members
    case array(ShapeRecord)
    case dictionary(ShapeRecord)
  }

  private struct Member {
    let name: String
    let record: ShapeRecord
    var isRequired: Bool
  }

  private var content = Content.nothing
  private var members: [Member] = []

  /// Whether the value may be null.
  var isNullable = false

  /// Whether the type asked which of its own names an object has, as only enums do.
  var asksForCases = false
}

extension ShapeRecord {
  var isEmpty: Bool {
    if case .nothing = self.content { !self.isNullable } else { false }
  }

  var schema: Schema {
    let schema: Schema =
      switch self.content {
      case .nothing: .any
      case .schema(let schema): schema
      case .members:
        .object(
          self.members.map { .init($0.name, $0.record.schema, isRequired: $0.isRequired, "") })
      case .array(let element): .array(element.schema)
      case .dictionary(let element): .dictionary(element.schema)
      }
    if case .nullable = schema { return schema }
    return self.isNullable ? .nullable(schema) : schema
  }

  /// Records the schema of the whole value.
  func set(_ schema: Schema) throws {
    switch self.content {
    case .nothing: self.content = .schema(schema)
    case .schema(let known) where known.json == schema.json: return
    default: throw self.contradiction
    }
  }

  /// Records that the value is an object.
  func setMembers() throws {
    switch self.content {
    case .nothing: self.content = .members
    case .members, .dictionary: return
    default: throw self.contradiction
    }
  }

  /// The record of a member. It is optional if any of the requests for it says so.
  func member(_ name: String, isRequired: Bool) throws -> ShapeRecord {
    if case .dictionary(let element) = self.content { return element }
    try self.setMembers()
    guard let index = self.members.firstIndex(where: { $0.name.hasSameBytes(as: name) }) else {
      let record = ShapeRecord()
      self.members.append(Member(name: name, record: record, isRequired: isRequired))
      return record
    }
    if !isRequired { self.members[index].isRequired = false }
    return self.members[index].record
  }

  /// Records that the value is an object with any keys.
  func setDictionary() throws {
    switch self.content {
    case .nothing: self.content = .dictionary(ShapeRecord())
    case .members where self.members.isEmpty: self.content = .dictionary(ShapeRecord())
    case .dictionary: return
    default: throw self.contradiction
    }
  }

  /// The record of the elements of an array.
  func element() throws -> ShapeRecord {
    switch self.content {
    case .nothing:
      let element = ShapeRecord()
      self.content = .array(element)
      return element
    case .array(let element): return element
    default: throw self.contradiction
    }
  }

  private var contradiction: SchemaDerivation.Failure {
    SchemaDerivation.Failure("it decodes values of several shapes; let it be SchemaProviding")
  }
}
