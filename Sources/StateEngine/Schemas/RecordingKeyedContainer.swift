import ImmutableJSON

/// The members of an object: all that are asked for, or those of the sample.
struct RecordingKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: RecordingDecoder

  var codingPath: [any CodingKey] { self.decoder.codingPath }

  /// The case of the sample. Without one, a key of a dictionary. None for an enum, which then
  /// throws.
  var allKeys: [Key] {
    if let step = self.decoder.sample?.steps.first {
      return [Key(stringValue: step)].compactMap(\.self)
    }
    guard let key = Key(stringValue: "0") else {
      self.decoder.record.asksForCases = true
      return []
    }
    guard (try? self.decoder.record.setDictionary()) != nil, !self.decoder.isEmpty else {
      return []
    }
    return [key]
  }

  /// True, so that the type of a member that the sample lacks is asked for.
  func contains(_ key: Key) -> Bool {
    (try? self.decoder.record.member(key.stringValue, isRequired: false)) != nil
  }

  func decodeNil(forKey key: Key) throws -> Bool {
    try self.part(key).decodeNil()
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    let part = try self.part(key)
    // The group of a case of an enum: `{"ui": {"_0": {"didTap": {}}}}`.
    if part.sample != nil, key.stringValue == "_0" {
      return try T(from: part)
    }
    return try part.decode(type)
  }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    let part = try self.part(key, isRequired: false)
    part.record.isNullable = true
    try part.record.set(part.derivation.derive(type).schema)
    guard let sample = part.sample, sample.value != .null else { return nil }
    return try sample.value.decode(type)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try self.part(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try self.part(key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder {
    try self.part(AnyCodingKey.member("super"))
  }

  func superDecoder(forKey key: Key) throws -> any Decoder {
    try self.part(key)
  }

  private func part(_ key: some CodingKey, isRequired: Bool = true) throws -> RecordingDecoder {
    let record = try self.decoder.record.member(key.stringValue, isRequired: isRequired)
    return self.decoder.part(record, key.stringValue, self.decoder.sample?.part(key.stringValue))
  }
}
