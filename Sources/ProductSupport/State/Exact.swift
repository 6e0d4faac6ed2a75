import ImmutableJSON

/// A field of a record that `==` compares as JSON does: equal fields have the same JSON.
///
/// ```swift
/// fileprivate struct Fields: Codable, Hashable, Sendable {
///   var id: Int
///   @Exact var text: String
/// }
/// ```
///
/// Swift's `==` ignores the normal form of text and the sign of zero. A record that changed only in
/// one of these would count as unchanged, and selectors would return its old JSON.
@propertyWrapper
@usableFromInline package struct Exact<Field: ExactlyComparable & Codable>: Sendable {
  @usableFromInline package var wrappedValue: Field

  @inlinable
  package init(wrappedValue: Field) {
    self.wrappedValue = wrappedValue
  }
}

/// A value that can be compared more precisely than by `==`. Values with the same JSON are equal.
@usableFromInline package protocol ExactlyComparable: Hashable, Sendable {
  /// Whether both have the same JSON.
  func isSame(as other: Self) -> Bool
}

extension String: ExactlyComparable {
  @inlinable
  package func isSame(as other: String) -> Bool {
    self.hasSameBytes(as: other)
  }
}

extension Double: ExactlyComparable {
  @inlinable
  package func isSame(as other: Double) -> Bool {
    self.bitPattern == other.bitPattern
  }
}

extension Exact: Hashable {
  @inlinable
  package static func == (left: Exact, right: Exact) -> Bool {
    left.wrappedValue.isSame(as: right.wrappedValue)
  }

  @inlinable
  package func hash(into hasher: inout Hasher) {
    hasher.combine(self.wrappedValue)
  }
}

extension Exact: Codable {
  @usableFromInline package init(from decoder: any Decoder) throws {
    self.init(wrappedValue: try Field(from: decoder))
  }

  @usableFromInline package func encode(to encoder: any Encoder) throws {
    try self.wrappedValue.encode(to: encoder)
  }
}

// Synthesized `encode(to:)` calls these, so that an encoder needs no container for a field.
extension KeyedEncodingContainer {
  package mutating func encode(_ field: Exact<String>, forKey key: Key) throws {
    try self.encode(field.wrappedValue, forKey: key)
  }

  package mutating func encode(_ field: Exact<Double>, forKey key: Key) throws {
    try self.encode(field.wrappedValue, forKey: key)
  }
}

extension Mirror {
  /// The children, with the names and values of fields that the compiler stores in ``Exact``.
  var declaredChildren: [Child] {
    self.children.map { child in
      guard let field = child.value as? any ExactField else { return child }
      // The name of the storage begins with an underscore.
      return (child.label.map { String($0.dropFirst()) }, field.value)
    }
  }
}

private protocol ExactField {
  var value: Any { get }
}

extension Exact: ExactField {
  fileprivate var value: Any {
    self.wrappedValue
  }
}
