extension Value {
  /// Throws the error of encoding a value, if one of its members has no JSON representation.
  ///
  /// Members that are equal in `old`, which can be encoded, are not encoded: so the cost is that of
  /// the members that differ. A value without members is encoded.
  ///
  /// - Throws: `EncodingError`, and the errors of the type's `encode(to:)`.
  package static func checkEncoding<T: Encodable>(of value: T, after old: T) throws {
    let known = ChangedMembers()
    try old.encode(to: ValueEncoder(part: PartialValue(), path: .root, changed: known))
    known.isComplete = true
    try value.encode(to: ValueEncoder(part: PartialValue(), path: .root, changed: known))
  }
}

/// The members of the old value, and whether all are known: then members are compared with them.
final class ChangedMembers {
  private var old: [String: any Encodable] = [:]
  fileprivate var isComplete = false

  /// Encodes a member into nothing if it has changed.
  func encode(_ value: some Encodable, at key: any CodingKey) throws {
    guard self.isComplete else {
      self.old[key.stringValue] = value
      return
    }
    if let value = value as? any Equatable, let old = self.old[key.stringValue] {
      guard !value.isEqual(to: old) else { return }
    }
    _ = try PartialValue(encoding: value, at: .member(key, of: .root))
  }
}

extension Equatable {
  fileprivate func isEqual(to other: Any) -> Bool {
    self == (other as? Self)
  }
}
