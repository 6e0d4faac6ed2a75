extension Value {
  /// Encodes an `Encodable` value, without Foundation.
  ///
  /// A ``Value`` is taken as it is. An unsigned integer beyond 64 bits signed and a number that is
  /// not finite have no JSON form, nor has a key with U+0000 in it.
  ///
  /// - Throws: `EncodingError`, ``ValueLimitError``, and what the type's own `encode(to:)` throws.
  public init(encoding value: some Encodable) throws {
    self = try PartialValue(encoding: value, at: .root).value
    try self.checkLimits()
  }
}

/// Where in a value an encoder is. Its coding path is written out only for who asks, which is an error.
private indirect enum Trail {
  case root
  case member(any CodingKey, of: Trail)
  case element(Int, of: Trail)

  var codingPath: [any CodingKey] {
    var path: [any CodingKey] = []
    var trail = self
    while true {
      switch trail {
      case .root:
        return path.reversed()
      case .member(let key, let parent):
        path.append(key)
        trail = parent
      case .element(let index, let parent):
        path.append(AnyCodingKey(index: index))
        trail = parent
      }
    }
  }
}

/// A place in the value that is being built, filled by at most one container.
private final class PartialValue {
  var content = Content.empty

  enum Content {
    case empty
    case value(Value)
    case elements([PartialValue])
    case members([(String, PartialValue)])
  }

  init() {}

  /// - Parameter trail: Asked for by containers and errors, not by a scalar.
  init(encoding value: some Encodable, at trail: @autoclosure () -> Trail) throws {
    switch value {
    case let value as Value: self.content = .value(value)
    case let value as Bool: self.content = .value(.bool(value))
    case let value as String: self.content = .value(.string(value))
    case let value as Double: self.content = .value(try Value(finite: value, at: trail()))
    case let value as Float: self.content = .value(try Value(finite: Double(value), at: trail()))
    case let value as any FixedWidthInteger: self.content = .value(try Value(value, at: trail()))
    case let value as any ValueRepresentable: self.content = .value(try value.representation())
    default: try value.encode(to: ValueEncoder(node: self, trail: trail()))
    }
  }

  /// What was built. A type that encoded nothing at all is an empty object, as in Foundation.
  var value: Value {
    get throws {
      switch self.content {
      case .empty: .object(JSONObject())
      case .value(let value): value
      case .elements(let nodes): .array(JSONArray(try nodes.map { try $0.value }))
      case .members(let members):
        .object(
          JSONObject(
            try members.map { key, node in
              try ObjectKeyError.check(encoding: key)
              return (key, try node.value)
            }))
      }
    }
  }

  var elementCount: Int {
    if case .elements(let nodes) = self.content { nodes.count } else { 0 }
  }

  // Both empty the content while the array is changed, so that it is held once and not copied.

  func append(_ node: PartialValue) {
    guard case .elements(var nodes) = self.content else { return }
    self.content = .empty
    nodes.append(node)
    self.content = .elements(nodes)
  }

  /// A member whose key has no JSON form fails once the value is taken.
  func set(_ key: String, _ node: PartialValue) {
    guard case .members(var members) = self.content else { return }
    self.content = .empty
    members.append((key, node))
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
  fileprivate init(finite value: Double, at trail: @autoclosure () -> Trail) throws {
    guard value.isFinite else {
      throw EncodingError.invalidValue(
        value, .init(codingPath: trail().codingPath, debugDescription: "\(value) has no JSON form"))
    }
    self = .real(value)
  }

  fileprivate init(_ value: some FixedWidthInteger, at trail: @autoclosure () -> Trail) throws {
    guard let integer = Int64(exactly: value) else {
      throw EncodingError.invalidValue(
        value, .init(codingPath: trail().codingPath, debugDescription: "\(value) is beyond 64 bits")
      )
    }
    self = .integer(integer)
  }
}

/// An encoder at one place; also the container of a single value.
private struct ValueEncoder: Encoder, SingleValueEncodingContainer {
  let node: PartialValue
  let trail: Trail

  var codingPath: [any CodingKey] {
    self.trail.codingPath
  }

  var userInfo: [CodingUserInfoKey: Any] {
    [:]
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(KeyedContainer<Key>(node: self.node, trail: self.trail))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    UnkeyedContainer(node: self.node, trail: self.trail)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    self
  }

  func encodeNil() {
    self.node.content = .value(.null)
  }

  func encode(_ value: some Encodable) throws {
    self.node.content = try PartialValue(encoding: value, at: self.trail).content
  }
}

private struct KeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let node: PartialValue
  let trail: Trail

  var codingPath: [any CodingKey] {
    self.trail.codingPath
  }

  init(node: PartialValue, trail: Trail) {
    self.node = node
    self.trail = trail
    if case .members = node.content { return }
    node.content = .members([])
  }

  func encodeNil(forKey key: Key) {
    self.encoder(key).encodeNil()
  }

  func encode(_ value: some Encodable, forKey key: Key) throws {
    let member = try PartialValue(encoding: value, at: .member(key, of: self.trail))
    self.node.set(key.stringValue, member)
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
    self.node.set(key.stringValue, child)
    return ValueEncoder(node: child, trail: .member(key, of: self.trail))
  }
}

private struct UnkeyedContainer: UnkeyedEncodingContainer {
  let node: PartialValue
  let trail: Trail

  var codingPath: [any CodingKey] {
    self.trail.codingPath
  }

  init(node: PartialValue, trail: Trail) {
    self.node = node
    self.trail = trail
    if case .elements = node.content { return }
    node.content = .elements([])
  }

  var count: Int {
    self.node.elementCount
  }

  func encodeNil() {
    self.encoder().encodeNil()
  }

  func encode(_ value: some Encodable) throws {
    let index = self.count
    self.node.append(try PartialValue(encoding: value, at: .element(index, of: self.trail)))
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
    let trail = Trail.element(self.count, of: self.trail)
    self.node.append(child)
    return ValueEncoder(node: child, trail: trail)
  }
}
