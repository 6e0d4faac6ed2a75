/// A type that is decoded from the members of an object without a keyed container.
///
/// Keyed containers are generic, so code of another module looks up types at run time for each of
/// them and for each member. An action may contain thousands of records, and these lookups would
/// take most of the time.
///
/// ```
/// struct Note: Codable, MemberDecodable {
///   var id: String
///   var text: String
///
///   private enum Keys {
///     static let id = ObjectKey("id")
///     static let text = ObjectKey("text")
///   }
///
///   init(from members: MemberDecoder) throws {
///     self.id = try members.decode(Keys.id)
///     self.text = try members.decode(Keys.text)
///   }
/// }
/// ```
package protocol MemberDecodable: Decodable {
  /// Decodes the same as `init(from:)` of `Decodable`, with the same errors.
  init(from members: MemberDecoder) throws
}

extension MemberDecodable {
  /// Decodes with any decoder; uses `init(from: MemberDecoder)` if it decodes a ``Value``.
  package static func decoded(from decoder: any Decoder) throws -> Self {
    guard let members = try MemberDecoder(decoder) else { return try Self(from: decoder) }
    return try Self(from: members)
  }
}

/// The members of an object that is being decoded.
package struct MemberDecoder {
  private let object: JSONObject
  private let decoder: ValueDecoder

  private init(object: JSONObject, decoder: ValueDecoder) {
    self.object = object
    self.decoder = decoder
  }

  /// - Returns: `nil` if the decoder is not that of a ``Value``.
  /// - Throws: `DecodingError` if the value is not an object.
  package init?(_ decoder: any Decoder) throws {
    guard let decoder = decoder as? ValueDecoder else { return nil }
    self.object = try decoder.object
    self.decoder = decoder
  }
}

extension MemberDecoder {
  package func decode(_ key: ObjectKey) throws -> String {
    try self.value(key).decodeScalar(String.self, self.position(key).codingPath)
  }

  package func decode(_ key: ObjectKey) throws -> Double {
    try self.value(key).decodeScalar(Double.self, self.position(key).codingPath)
  }

  package func decode(_ key: ObjectKey) throws -> Bool {
    try self.value(key).decodeScalar(Bool.self, self.position(key).codingPath)
  }

  package func decode(_ key: ObjectKey) throws -> Int {
    try self.value(key).decodeScalar(Int.self, self.position(key).codingPath)
  }

  package func decode<T: Decodable>(_ key: ObjectKey) throws -> T {
    try T(from: ValueDecoder(self.value(key), at: self.position(key)))
  }

  package func decodeArray<Element: Decodable>(_ key: ObjectKey) throws -> [Element] {
    let decoder = ValueDecoder(try self.value(key), at: self.position(key))
    let array = try decoder.array
    var elements: [Element] = []
    elements.reserveCapacity(array.count)
    for element in array {
      let position = ValueDecoder.Position(
        key: AnyCodingKey.element(elements.count), parent: decoder)
      elements.append(
        try element.decode(Element.self, position.codingPath)
          ?? Element(from: ValueDecoder(element, at: position)))
    }
    return elements
  }

  /// Decodes all members as integers, in the order of their keys.
  package func decodeIntegers() throws -> [(key: String, value: Int)] {
    try self.object.map { key, value in
      let position = ValueDecoder.Position(key: AnyCodingKey.member(key), parent: self.decoder)
      return (key, try value.decodeScalar(Int.self, position.codingPath))
    }
  }

  /// A decoder of the only member, if it has this key and is an object; otherwise `nil`.
  package func onlyMember(_ key: ObjectKey) -> MemberDecoder? {
    guard self.object.count == 1, let value = self.object[key], case .object(let object) = value
    else { return nil }
    return MemberDecoder(
      object: object, decoder: ValueDecoder(value, at: self.position(key)))
  }

  /// Decodes an enum of strings.
  package func decode<T: Decodable & RawRepresentable<String>>(_ key: ObjectKey) throws -> T {
    try self.decode(self.value(key), key)
  }

  /// The same; `nil` if the member is absent or null.
  package func decodeIfPresent<T: Decodable & RawRepresentable<String>>(
    _ key: ObjectKey
  ) throws -> T? {
    guard let value = self.object[key], !value.isNull else { return nil }
    return try self.decode(value, key)
  }

  package func decodeIfPresent<T: Decodable>(_ key: ObjectKey) throws -> T? {
    guard let value = self.object[key], !value.isNull else { return nil }
    return try T(from: ValueDecoder(value, at: self.position(key)))
  }

  private func decode<T: Decodable & RawRepresentable<String>>(
    _ value: Value, _ key: ObjectKey
  ) throws -> T {
    if case .string(let text) = value, let value = T(rawValue: text) { return value }
    // Throws the error of the type.
    return try T(from: ValueDecoder(value, at: self.position(key)))
  }

  private func value(_ key: ObjectKey) throws -> Value {
    guard let value = self.object[key] else {
      throw DecodingError.keyNotFound(
        AnyCodingKey.member(key.text),
        .init(codingPath: self.decoder.codingPath, debugDescription: "is missing"))
    }
    return value
  }

  private func position(_ key: ObjectKey) -> ValueDecoder.Position {
    ValueDecoder.Position(key: AnyCodingKey.member(key.text), parent: self.decoder)
  }
}
