extension Value {
  /// Encodes an `Encodable` value, without Foundation.
  ///
  /// A ``Value`` is used as is. Integers beyond `Int64`, numbers that are not finite, and keys that
  /// contain U+0000 cannot be encoded.
  ///
  /// - Throws: `EncodingError`, ``ValueLimitError``, and the errors of the type's `encode(to:)`.
  public init(encoding value: some Encodable) throws {
    try self.init(encodingBeyondLimits: value)
    try self.checkLimits()
  }

  /// The same for a value of the program itself, which it describes to others: the limits are for
  /// those that come from outside.
  package init(encodingBeyondLimits value: some Encodable) throws {
    self = try PartialValue(encoding: value, at: .root).value
  }
}

/// The position of an encoder in a value. Its coding path is built only on request, mostly for
/// errors.
indirect enum EncodingPath {
  case root
  case member(any CodingKey, of: EncodingPath)
  case element(Int, of: EncodingPath)

  var codingPath: [any CodingKey] {
    var keys: [any CodingKey] = []
    var path = self
    while true {
      switch path {
      case .root:
        return keys.reversed()
      case .member(let key, let parent):
        keys.append(key)
        path = parent
      case .element(let index, let parent):
        keys.append(AnyCodingKey.element(index))
        path = parent
      }
    }
  }
}

/// A part of the value under construction, filled by at most one container.
final class PartialValue {
  var content = Content.empty

  enum Content {
    case empty
    case value(Value)
    case elements([PartialValue])
    case members([(String, PartialValue)])
  }

  init() {}

  /// - Parameter path: Evaluated by containers and errors, not by scalars.
  init<T: Encodable>(encoding value: T, at path: @autoclosure () -> EncodingPath) throws {
    if let scalar = try Value(scalar: value, at: path()) {
      self.content = .value(scalar)
    } else if let value = value as? any ValueRepresentable {
      self.content = .value(try value.representation())
    } else if let value = value as? any FixedWidthInteger {
      self.content = .value(try Value(value, at: path()))
    } else {
      try value.encode(to: ValueEncoder(part: self, path: path()))
    }
  }

  /// The finished value. A type that encoded nothing is an empty object. (Foundation does the same,
  /// but throws at the top level.)
  var value: Value {
    get throws {
      switch self.content {
      case .empty: .object(JSONObject())
      case .value(let value): value
      case .elements(let parts): .array(JSONArray(try parts.map { try $0.value }))
      case .members(let members):
        .object(
          JSONObject(
            try members.map { key, part in
              try ObjectKeyError.check(encoding: key)
              return (key, try part.value)
            }))
      }
    }
  }

  var elementCount: Int {
    if case .elements(let parts) = self.content { parts.count } else { 0 }
  }

  // Both functions clear the content first, so that the array is uniquely referenced and not
  // copied.

  func append(_ part: PartialValue) {
    guard case .elements(var parts) = self.content else { return }
    self.content = .empty
    parts.append(part)
    self.content = .elements(parts)
  }

  /// Adds a member. An invalid key fails later, in ``value``.
  func set(_ key: String, _ part: PartialValue) {
    guard case .members(var members) = self.content else { return }
    self.content = .empty
    members.append((key, part))
    self.content = .members(members)
  }
}

extension ObjectKeyError {
  fileprivate static func check(encoding key: String) throws {
    guard let error = ObjectKeyError(key) else { return }
    throw EncodingError.invalidValue(
      key, .init(codingPath: [], debugDescription: error.description))
  }
}

extension Value {
  /// Encodes one of the most frequent scalars, or a value; `nil` for other types.
  fileprivate init?<T>(scalar value: T, at path: @autoclosure () -> EncodingPath) throws {
    // In generic code, comparing types is much faster than casting them.
    if T.self == String.self {
      self = .string(unsafeBitCast(value, to: String.self))
    } else if T.self == Int.self {
      self = .integer(Int64(unsafeBitCast(value, to: Int.self)))
    } else if T.self == Int64.self {
      self = .integer(unsafeBitCast(value, to: Int64.self))
    } else if T.self == Double.self {
      self = try Value(finite: unsafeBitCast(value, to: Double.self), at: path())
    } else if T.self == Float.self {
      self = try Value(finite: Double(unsafeBitCast(value, to: Float.self)), at: path())
    } else if T.self == Bool.self {
      self = .bool(unsafeBitCast(value, to: Bool.self))
    } else if T.self == Value.self {
      self = unsafeBitCast(value, to: Value.self)
    } else {
      return nil
    }
  }

  fileprivate init(finite value: Double, at path: @autoclosure () -> EncodingPath) throws {
    guard value.isFinite else {
      throw EncodingError.invalidValue(
        value,
        .init(
          codingPath: path().codingPath, debugDescription: "\(value) has no JSON representation"))
    }
    self = .real(value)
  }

  fileprivate init(
    _ value: some FixedWidthInteger, at path: @autoclosure () -> EncodingPath
  ) throws {
    guard let integer = Int64(exactly: value) else {
      throw EncodingError.invalidValue(
        value,
        .init(codingPath: path().codingPath, debugDescription: "\(value) does not fit in Int64")
      )
    }
    self = .integer(integer)
  }
}

/// The encoder of one part; also its single-value container.
struct ValueEncoder: Encoder, SingleValueEncodingContainer {
  let part: PartialValue
  let path: EncodingPath
  /// Encodes the members in place of the part, if it is not `nil`; see ``Value/checkEncoding``.
  var changed: ChangedMembers? = nil

  var codingPath: [any CodingKey] {
    self.path.codingPath
  }

  var userInfo: [CodingUserInfoKey: Any] {
    [:]
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(
      KeyedContainer<Key>(part: self.part, path: self.path, changed: self.changed))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    UnkeyedContainer(part: self.part, path: self.path)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    self
  }

  func encodeNil() {
    self.part.content = .value(.null)
  }

  func encode(_ value: some Encodable) throws {
    self.part.content = try PartialValue(encoding: value, at: self.path).content
  }
}

private struct KeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let part: PartialValue
  let path: EncodingPath
  let changed: ChangedMembers?

  var codingPath: [any CodingKey] {
    self.path.codingPath
  }

  init(part: PartialValue, path: EncodingPath, changed: ChangedMembers?) {
    self.part = part
    self.path = path
    self.changed = changed
    if case .members = part.content { return }
    part.content = .members([])
  }

  func encodeNil(forKey key: Key) {
    self.encoder(key).encodeNil()
  }

  func encode(_ value: some Encodable, forKey key: Key) throws {
    if let changed = self.changed { return try changed.encode(value, at: key) }
    let member = try PartialValue(encoding: value, at: .member(key, of: self.path))
    self.part.set(key.stringValue, member)
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
    let child = PartialValue()
    self.part.set(key.stringValue, child)
    return ValueEncoder(part: child, path: .member(key, of: self.path))
  }
}

private struct UnkeyedContainer: UnkeyedEncodingContainer {
  let part: PartialValue
  let path: EncodingPath

  var codingPath: [any CodingKey] {
    self.path.codingPath
  }

  init(part: PartialValue, path: EncodingPath) {
    self.part = part
    self.path = path
    if case .elements = part.content { return }
    part.content = .elements([])
  }

  var count: Int {
    self.part.elementCount
  }

  func encodeNil() {
    self.encoder().encodeNil()
  }

  func encode(_ value: some Encodable) throws {
    let index = self.count
    self.part.append(try PartialValue(encoding: value, at: .element(index, of: self.path)))
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> {
    self.encoder().container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    self.encoder().unkeyedContainer()
  }

  func superEncoder() -> any Encoder {
    self.encoder()
  }

  private func encoder() -> ValueEncoder {
    let child = PartialValue()
    let path = EncodingPath.element(self.count, of: self.path)
    self.part.append(child)
    return ValueEncoder(part: child, path: path)
  }
}
