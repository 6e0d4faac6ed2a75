extension Value {
  /// Decodes a `Decodable` type from this value, without Foundation.
  ///
  /// Integers are decoded from any number with an integral value, a `Double` from any number. A
  /// ``Value`` is returned as is.
  ///
  /// - Throws: `DecodingError`, and the errors of the type's `init(from:)`.
  public func decode<T: Decodable>(_ type: T.Type = T.self) throws -> T {
    try ValueDecoder(value: self, codingPath: []).decode(type)
  }
}

/// The decoder of one value; also its single-value container.
private struct ValueDecoder: Decoder, SingleValueDecodingContainer {
  let value: Value
  let codingPath: [any CodingKey]

  var userInfo: [CodingUserInfoKey: Any] {
    [:]
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let object) = self.value else {
      throw self.mismatch([String: Value].self, "an object")
    }
    return KeyedDecodingContainer(
      KeyedContainer<Key>(object: object, codingPath: self.codingPath))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let array) = self.value else {
      throw self.mismatch([Value].self, "an array")
    }
    return UnkeyedContainer(array: array, codingPath: self.codingPath)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer {
    self
  }

  func decodeNil() -> Bool {
    self.value == .null
  }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    switch type {
    case is Value.Type: try self.cast(self.value)
    case is Bool.Type: try self.cast(self.bool())
    case is String.Type: try self.cast(self.string())
    case is Double.Type: try self.cast(self.double())
    case is Float.Type: try self.cast(Float(self.double()))
    case let integer as any FixedWidthInteger.Type: try self.cast(self.integer(integer))
    default: try T(from: self)
    }
  }
}

extension ValueDecoder {
  private func bool() throws -> Bool {
    guard case .bool(let value) = self.value else {
      throw self.mismatch(Bool.self, "a boolean")
    }
    return value
  }

  private func string() throws -> String {
    guard case .string(let value) = self.value else {
      throw self.mismatch(String.self, "a string")
    }
    return value
  }

  private func double() throws -> Double {
    switch self.value {
    case .real(let value): value
    case .integer(let value): Double(value)
    default: throw self.mismatch(Double.self, "a number")
    }
  }

  private func integer<T: FixedWidthInteger>(_ type: T.Type) throws -> T {
    let integer: T? =
      switch self.value {
      case .integer(let value): T(exactly: value)
      case .real(let value): T(exactly: value)
      default: throw self.mismatch(type, "an integer")
      }
    guard let integer else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: self.codingPath,
          debugDescription: "\(self.value) is not an integer from \(T.min) to \(T.max)"))
    }
    return integer
  }

  /// Casts a value to the type that it is known to have.
  private func cast<T>(_ value: Any) throws -> T {
    guard let value = value as? T else {
      throw self.mismatch(T.self, "\(T.self)")
    }
    return value
  }

  private func mismatch(_ type: Any.Type, _ expected: String) -> DecodingError {
    .typeMismatch(
      type,
      .init(
        codingPath: self.codingPath,
        debugDescription: "expected \(expected), found \(self.value.kindWithArticle)"))
  }
}

private struct KeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let object: JSONObject
  let codingPath: [any CodingKey]

  var allKeys: [Key] {
    self.object.compactMap { Key(stringValue: $0.key) }
  }

  func contains(_ key: Key) -> Bool {
    self.object[key.stringValue] != nil
  }

  func decodeNil(forKey key: Key) throws -> Bool {
    try self.decoder(key).decodeNil()
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try self.decoder(key).decode(type)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try self.decoder(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try self.decoder(key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder {
    try self.decoder(AnyCodingKey(stringValue: "super"))
  }

  func superDecoder(forKey key: Key) throws -> any Decoder {
    try self.decoder(key)
  }

  private func decoder(_ key: some CodingKey) throws -> ValueDecoder {
    guard let value = self.object[key.stringValue] else {
      throw DecodingError.keyNotFound(
        key, .init(codingPath: self.codingPath, debugDescription: "is missing"))
    }
    return ValueDecoder(value: value, codingPath: self.codingPath + [key])
  }
}

private struct UnkeyedContainer: UnkeyedDecodingContainer {
  let array: JSONArray
  let codingPath: [any CodingKey]
  var currentIndex = 0

  var count: Int? {
    self.array.count
  }

  var isAtEnd: Bool {
    self.currentIndex >= self.array.count
  }

  mutating func decodeNil() throws -> Bool {
    let isNil = try self.decoder(Optional<Value>.self).decodeNil()
    self.currentIndex += isNil ? 1 : 0
    return isNil
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    let value = try self.decoder(type).decode(type)
    self.currentIndex += 1
    return value
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    let container = try self.decoder([String: Value].self).container(keyedBy: type)
    self.currentIndex += 1
    return container
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let container = try self.decoder([Value].self).unkeyedContainer()
    self.currentIndex += 1
    return container
  }

  mutating func superDecoder() throws -> any Decoder {
    let decoder = try self.decoder((any Decoder).self)
    self.currentIndex += 1
    return decoder
  }

  private func decoder(_ type: Any.Type) throws -> ValueDecoder {
    let path = self.codingPath + [AnyCodingKey(index: self.currentIndex)]
    guard !self.isAtEnd else {
      throw DecodingError.valueNotFound(
        type, .init(codingPath: path, debugDescription: "is missing"))
    }
    return ValueDecoder(value: self.array[self.currentIndex], codingPath: path)
  }
}
