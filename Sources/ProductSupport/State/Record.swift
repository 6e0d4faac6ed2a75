import ImmutableJSON

/// The fields of a record, as JSON.
package protocol RecordFields: Encodable, MemberDecodable {
  /// The value that `encode(to:)` encodes.
  func representation() throws -> Value
}

extension RecordFields {
  package func representation() throws -> Value {
    try Value(encoding: self)
  }
}

/// The fields of a record, in a box: copying a record, and comparing it with a copy, is O(1).
///
/// Each change of a state copies parts of its tables, so a record takes a single reference. The
/// JSON of a record is cached when it is first encoded.
@usableFromInline package struct Record<Fields: Hashable & Sendable>: Sendable {
  @usableFromInline
  package final class Box: Sendable {
    @usableFromInline package let fields: Fields
    fileprivate let encoded = CachedValue()

    @usableFromInline
    package init(_ fields: Fields) {
      self.fields = fields
    }
  }

  @usableFromInline var box: Box

  @inlinable
  package init(_ fields: Fields) {
    self.box = Box(fields)
  }

  // Inlinable, so that reading a field does not copy all of them.

  /// The fields. Setting one creates a new box.
  @inlinable
  package var fields: Fields {
    get { self.box.fields }
    set { self.box = Box(newValue) }
  }
}

extension Record {
  /// Whether both are copies of one record, which are equal. O(1).
  @inlinable
  package func isIdentical(to other: Record) -> Bool {
    self.box === other.box
  }

  /// Reflects a subject as a struct of the fields, so that `print` and `dump` show them.
  func mirror(of subject: Any) -> Mirror {
    Mirror(
      subject, children: Mirror(reflecting: self.fields).declaredChildren, displayStyle: .struct)
  }
}

extension Record: Hashable {
  @inlinable
  package static func == (left: Record, right: Record) -> Bool {
    left.box === right.box || left.box.fields == right.box.fields
  }

  @inlinable
  package func hash(into hasher: inout Hasher) {
    hasher.combine(self.box.fields)
  }
}

extension Record: Codable where Fields: RecordFields {
  @usableFromInline package init(from decoder: any Decoder) throws {
    self.init(try Fields.decoded(from: decoder))
  }

  @usableFromInline package func encode(to encoder: any Encoder) throws {
    try self.fields.encode(to: encoder)
  }
}

extension Record: ValueRepresentable where Fields: RecordFields {
  package func representation() throws -> Value {
    // `self.fields` would copy them.
    try self.box.encoded.value
      ?? self.box.encoded.storeIfNil(self.box.fields.representation())
  }
}
