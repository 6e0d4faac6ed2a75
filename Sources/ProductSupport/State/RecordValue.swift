import ImmutableJSON

/// A type that stores nothing but a record, from which its conformances follow.
///
/// ```swift
/// public struct Note: RecordValue, Codable, Hashable, Sendable {
///   @usableFromInline package struct Fields: Codable, Hashable, Sendable {
///     // RecordFields in an extension
///     @Exact var id: String
///     @Exact var text: String
///   }
///
///   @usableFromInline package var record: Record<Fields>
///
///   public var text: String {
///     get { self.record.fields.text }
///     set { self.record.fields.text = newValue }
///   }
/// }
/// ```
package protocol RecordValue: BoxedValue, Codable, ValueRepresentable where Fields: RecordFields {
  init(record: Record<Fields>)

  /// Why it cannot be decoded, although its fields can be; `nil` if it can.
  var refusal: String? { get }
}

extension RecordValue {
  package var refusal: String? {
    nil
  }

  public init(from decoder: any Decoder) throws {
    self.init(record: try Record(from: decoder))
    if let reason = self.refusal {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: reason))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    try self.record.encode(to: encoder)
  }

  package func representation() throws -> Value {
    try self.record.representation()
  }
}

extension RecordValue where Self: Identifiable<String> {
  /// Refuses an id that cannot be the key of an object.
  package func refusal(of name: String) -> String? {
    guard self.id.containsNUL else { return nil }
    return "the \(name) \(quoted(self.id)) contains U+0000, which a key must not contain"
  }
}

/// The comparison of a ``RecordValue``, apart from its JSON: other modules compile it inline.
@usableFromInline
package protocol BoxedValue: Hashable, Sendable, CustomReflectable,
  IdentityComparable
{
  associatedtype Fields: Hashable, Sendable

  var record: Record<Fields> { get }
}

extension BoxedValue {
  @inlinable
  package func isIdentical(to other: Self) -> Bool {
    self.record.isIdentical(to: other.record)
  }

  /// Whether both have the same JSON.
  @inlinable
  public static func == (left: Self, right: Self) -> Bool {
    left.isIdentical(to: right) || Differences.report(left, right) || left.record == right.record
  }

  @inlinable
  public func hash(into hasher: inout Hasher) {
    self.record.hash(into: &hasher)
  }

  public var customMirror: Mirror {
    self.record.mirror(of: self)
  }
}
