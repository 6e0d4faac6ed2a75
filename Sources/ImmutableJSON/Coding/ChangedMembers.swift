extension Value {
  /// Throws the error of encoding a value, if one of its members has no JSON representation.
  ///
  /// Members that are equal in `old`, which can be encoded, are not encoded: so the cost is that of
  /// the members that differ. A value without members is encoded.
  ///
  /// - Throws: `EncodingError`, and the errors of the type's `encode(to:)`.
  package static func checkEncoding<T: Encodable>(of value: T, after old: T) throws {
    let known = ChangedMembers()
    try old.encode(to: MemberEncoder(members: known))
    known.isComplete = true
    try value.encode(to: MemberEncoder(members: known))
  }
}

/// The members of the old value, and whether all are known: then members are compared with them.
private final class ChangedMembers {
  var old: [String: any Encodable] = [:]
  var isComplete = false

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

/// Encodes the members of an object that have changed, and all of any other value, into nothing.
private struct MemberEncoder: Encoder {
  let members: ChangedMembers

  var codingPath: [any CodingKey] { [] }

  var userInfo: [CodingUserInfoKey: Any] { [:] }

  private var whole: ValueEncoder {
    ValueEncoder(part: PartialValue(), path: .root)
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(MemberContainer<Key>(members: self.members))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    self.whole.unkeyedContainer()
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    self.whole.singleValueContainer()
  }
}

private struct MemberContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let members: ChangedMembers

  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey key: Key) {}

  func encode(_ value: some Encodable, forKey key: Key) throws {
    try self.members.encode(value, at: key)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    self.encoder(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    self.encoder(key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder {
    self.encoder(AnyCodingKey(stringValue: "super"))
  }

  func superEncoder(forKey key: Key) -> any Encoder {
    self.encoder(key)
  }

  private func encoder(_ key: some CodingKey) -> ValueEncoder {
    ValueEncoder(part: PartialValue(), path: .member(key, of: .root))
  }
}
