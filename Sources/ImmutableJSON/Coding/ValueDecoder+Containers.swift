/// The members of an object, for decoding.
struct KeyedValueContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let object: JSONObject
  let decoder: ValueDecoder

  var codingPath: [any CodingKey] {
    self.decoder.codingPath
  }

  var allKeys: [Key] {
    var keys: [Key] = []
    var cursor = NodeCursor(self.object.root)
    while let (leaf, slot) = cursor.current {
      if let key = leaf.keys.flatMap({ Key(stringValue: $0.string(at: slot)) }) {
        keys.append(key)
      }
      cursor.advance()
    }
    return keys
  }

  func contains(_ key: Key) -> Bool {
    self.object[key.stringValue] != nil
  }

  func decodeNil(forKey key: Key) throws -> Bool {
    try self.value(key).isNull
  }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    try self.value(key).decodeScalar(type, self.position(key).codingPath)
  }

  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    try self.value(key).decodeScalar(type, self.position(key).codingPath)
  }

  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    try self.value(key).decodeScalar(type, self.position(key).codingPath)
  }

  func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
    try self.decoder(key).decode(type)
  }

  func decode<T: FixedWidthInteger & Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try self.value(key).decodeScalar(type, self.position(key).codingPath)
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try self.decode(type, self.value(key), key)
  }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    guard let value = self.object[key.stringValue], !value.isNull else { return nil }
    return try self.decode(type, value, key)
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
}

extension KeyedValueContainer {
  private func value(_ key: some CodingKey) throws -> Value {
    guard let value = self.object[key.stringValue] else {
      throw DecodingError.keyNotFound(
        key, .init(codingPath: self.codingPath, debugDescription: "is missing"))
    }
    return value
  }

  private func position(_ key: some CodingKey) -> ValueDecoder.Position {
    ValueDecoder.Position(key: key, parent: self.decoder)
  }

  private func decoder(_ key: some CodingKey) throws -> ValueDecoder {
    ValueDecoder(try self.value(key), at: self.position(key))
  }

  private func decode<T: Decodable>(_ type: T.Type, _ value: Value, _ key: Key) throws -> T {
    try value.decode(type, self.position(key).codingPath)
      ?? T(from: ValueDecoder(value, at: self.position(key)))
  }
}

/// The elements of an array, for decoding.
struct UnkeyedValueContainer: UnkeyedDecodingContainer {
  let decoder: ValueDecoder
  private(set) var currentIndex = 0

  private let array: JSONArray
  private var cursor: NodeCursor

  init(_ array: JSONArray, decoder: ValueDecoder) {
    self.decoder = decoder
    self.array = array
    self.cursor = NodeCursor(array.root)
  }

  var codingPath: [any CodingKey] {
    self.decoder.codingPath
  }

  var count: Int? {
    self.array.count
  }

  var isAtEnd: Bool {
    self.cursor.isAtEnd
  }

  mutating func decodeNil() throws -> Bool {
    let isNil = try self.current(Optional<Value>.self).isNull
    if isNil { self.advance() }
    return isNil
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    let value = try self.current(type)
    let result =
      try value.decode(type, self.position.codingPath)
      ?? T(from: ValueDecoder(value, at: self.position))
    self.advance()
    return result
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    let container = try self.decoder([String: Value].self).container(keyedBy: type)
    self.advance()
    return container
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let container = try self.decoder([Value].self).unkeyedContainer()
    self.advance()
    return container
  }

  mutating func superDecoder() throws -> any Decoder {
    let decoder = try self.decoder((any Decoder).self)
    self.advance()
    return decoder
  }
}

extension UnkeyedValueContainer {
  private var position: ValueDecoder.Position {
    ValueDecoder.Position(key: AnyCodingKey.element(self.currentIndex), parent: self.decoder)
  }

  private func current(_ type: Any.Type) throws -> Value {
    guard let (leaf, slot) = self.cursor.current else {
      throw DecodingError.valueNotFound(
        type, .init(codingPath: self.position.codingPath, debugDescription: "is missing"))
    }
    return leaf.value(at: slot)
  }

  private func decoder(_ type: Any.Type) throws -> ValueDecoder {
    ValueDecoder(try self.current(type), at: self.position)
  }

  private mutating func advance() {
    self.cursor.advance()
    self.currentIndex += 1
  }
}
