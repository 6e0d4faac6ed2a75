extension Value: Decodable {
  /// Decodes any JSON. (`Value.decode` returns a ``Value`` as is, without calling this.)
  ///
  /// - Throws: The errors of the decoder, ``ValueLimitError`` and ``ObjectKeyError``.
  public init(from decoder: any Decoder) throws {
    if let container = try? decoder.container(keyedBy: AnyCodingKey.self) {
      self = .object(
        JSONObject(
          try container.allKeys.map { key in
            if let error = ObjectKeyError(key.stringValue) { throw error }
            return (key.stringValue, try container.decode(Value.self, forKey: key))
          }))
    } else if var container = try? decoder.unkeyedContainer() {
      var elements: [Value] = []
      while !container.isAtEnd {
        elements.append(try container.decode(Value.self))
      }
      self = .array(JSONArray(elements))
    } else {
      self = try Value(scalar: decoder.singleValueContainer())
    }
    try self.checkLimits()
  }

  private init(scalar container: any SingleValueDecodingContainer) throws {
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .integer(value)
    } else if let value = try? container.decode(Double.self) {
      self = .real(value)
    } else {
      self = .string(try container.decode(String.self))
    }
  }
}

extension Value: Encodable {
  /// Encodes this value to any encoder. (`Value(encoding:)` uses a ``Value`` as is, without calling
  /// this.)
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .object(let object):
      var container = encoder.container(keyedBy: AnyCodingKey.self)
      for (key, value) in object {
        try container.encode(value, forKey: AnyCodingKey(stringValue: key))
      }
    case .array(let elements):
      var container = encoder.unkeyedContainer()
      for element in elements {
        try container.encode(element)
      }
    default:
      var container = encoder.singleValueContainer()
      switch self {
      case .bool(let value): try container.encode(value)
      case .integer(let value): try container.encode(value)
      case .real(let value): try container.encode(value)
      case .string(let value): try container.encode(value)
      default: try container.encodeNil()
      }
    }
  }
}

/// A type that creates its JSON without containers, or caches it. `Value(encoding:)` uses this
/// instead of calling `encode(to:)`.
package protocol ValueRepresentable: Encodable {
  /// The value that `encode(to:)` encodes.
  func representation() throws -> Value
}

extension Array: ValueRepresentable where Element: ValueRepresentable {
  package func representation() throws -> Value {
    .array(JSONArray(try self.map { try $0.representation() }))
  }
}
