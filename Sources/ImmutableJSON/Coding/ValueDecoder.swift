extension Value {
  /// Decodes a `Decodable` type from this value, without Foundation.
  ///
  /// Integers are decoded from any number with an integral value, a `Double` from any number. A
  /// ``Value`` is returned as is.
  ///
  /// - Throws: `DecodingError`, and the errors of the type's `init(from:)`.
  public func decode<T: Decodable>(_ type: T.Type = T.self) throws -> T {
    try ValueDecoder(self).decode(type)
  }
}

/// The decoder of one value; also its single-value container.
///
/// Scalars of a container are decoded without a decoder of their own. The coding path is built only
/// on request, mostly for errors: decoders of nested values refer to that of the value around them.
final class ValueDecoder: Decoder {
  let value: Value
  private let position: Position?

  /// A position in a container.
  struct Position {
    let key: any CodingKey
    let parent: ValueDecoder

    var codingPath: [any CodingKey] {
      self.parent.codingPath + [self.key]
    }
  }

  init(_ value: Value, at position: Position? = nil) {
    self.value = value
    self.position = position
  }

  var codingPath: [any CodingKey] {
    var keys: [any CodingKey] = []
    var position = self.position
    while let current = position {
      keys.append(current.key)
      position = current.parent.position
    }
    return keys.reversed()
  }

  var userInfo: [CodingUserInfoKey: Any] {
    [:]
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    try KeyedDecodingContainer(KeyedValueContainer<Key>(object: self.object, decoder: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    UnkeyedValueContainer(try self.array, decoder: self)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer {
    self
  }
}

extension ValueDecoder {
  /// The value as an object.
  var object: JSONObject {
    get throws {
      guard case .object(let object) = self.value else {
        throw self.value.mismatch([String: Value].self, "an object", self.codingPath)
      }
      return object
    }
  }

  /// The value as an array.
  var array: JSONArray {
    get throws {
      guard case .array(let array) = self.value else {
        throw self.value.mismatch([Value].self, "an array", self.codingPath)
      }
      return array
    }
  }
}

extension ValueDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool {
    self.value.isNull
  }

  func decode(_ type: Bool.Type) throws -> Bool {
    try self.value.decodeScalar(type, self.codingPath)
  }

  func decode(_ type: String.Type) throws -> String {
    try self.value.decodeScalar(type, self.codingPath)
  }

  func decode(_ type: Double.Type) throws -> Double {
    try self.value.decodeScalar(type, self.codingPath)
  }

  func decode(_ type: Float.Type) throws -> Float {
    try Float(self.value.decodeScalar(Double.self, self.codingPath))
  }

  func decode<T: FixedWidthInteger & Decodable>(_ type: T.Type) throws -> T {
    try self.value.decodeScalar(type, self.codingPath)
  }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try self.value.decode(type, self.codingPath) ?? T(from: self)
  }
}

// MARK: Scalars

extension Value {
  var isNull: Bool {
    if case .null = self { true } else { false }
  }

  // In these functions, `path` is evaluated only for errors.

  /// Decodes the most frequent scalars, and values; `nil` for other types.
  func decode<T>(_ type: T.Type, _ path: @autoclosure () -> [any CodingKey]) throws -> T? {
    // In generic code, comparing types is much faster than casting them. The result has the type
    // that the comparison found.
    if type == String.self {
      return unsafeBitCast(try self.decodeScalar(String.self, path()), to: type)
    }
    if type == Int.self {
      return unsafeBitCast(try self.decodeScalar(Int.self, path()), to: type)
    }
    if type == Double.self {
      return unsafeBitCast(try self.decodeScalar(Double.self, path()), to: type)
    }
    if type == Bool.self {
      return unsafeBitCast(try self.decodeScalar(Bool.self, path()), to: type)
    }
    return type == Value.self ? unsafeBitCast(self, to: type) : nil
  }

  func decodeScalar(
    _ type: Bool.Type, _ path: @autoclosure () -> [any CodingKey]
  ) throws -> Bool {
    guard case .bool(let value) = self else {
      throw self.mismatch(type, "a boolean", path())
    }
    return value
  }

  func decodeScalar(
    _ type: String.Type, _ path: @autoclosure () -> [any CodingKey]
  ) throws -> String {
    guard case .string(let value) = self else {
      throw self.mismatch(type, "a string", path())
    }
    return value
  }

  func decodeScalar(
    _ type: Double.Type, _ path: @autoclosure () -> [any CodingKey]
  ) throws -> Double {
    switch self {
    case .real(let value): value
    case .integer(let value): Double(nearest: value)
    default: throw self.mismatch(type, "a number", path())
    }
  }

  func decodeScalar<T: FixedWidthInteger>(
    _ type: T.Type, _ path: @autoclosure () -> [any CodingKey]
  ) throws -> T {
    let integer: T? =
      switch self {
      case .integer(let value): T(exactly: value)
      case .real(let value): T(equalTo: value)
      default: throw self.mismatch(type, "an integer", path())
      }
    guard let integer else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: path(),
          debugDescription: "\(self) is not an integer from \(T.min) to \(T.max)"))
    }
    return integer
  }

  fileprivate func mismatch(
    _ type: Any.Type, _ expected: String, _ path: [any CodingKey]
  ) -> DecodingError {
    .typeMismatch(
      type,
      .init(
        codingPath: path, debugDescription: "expected \(expected), found \(self.kindWithArticle)"))
  }
}
