import ImmutableJSON

/// Decodes its content with a decoder of another module, which the content does not know.
public struct ForeignlyDecoded<Content: Decodable>: Decodable {
  public let content: Content

  public init(from decoder: any Decoder) throws {
    self.content = try Content(from: ForeignDecoder(base: decoder))
  }
}

private struct ForeignDecoder: Decoder {
  let base: any Decoder

  var codingPath: [any CodingKey] {
    self.base.codingPath
  }

  var userInfo: [CodingUserInfoKey: Any] {
    self.base.userInfo
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    try self.base.container(keyedBy: type)
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try self.base.unkeyedContainer()
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    try self.base.singleValueContainer()
  }
}

/// The outcome of decoding, for comparisons: what was decoded, or why nothing was.
public func outcome<Content>(_ decode: () throws -> Content) -> String {
  do {
    return "\(try decode())"
  } catch let error as DecodingError {
    return error.outcome
  } catch {
    return "\(error)"
  }
}

extension DecodingError {
  fileprivate var outcome: String {
    let (name, context, key): (String, Context, (any CodingKey)?) =
      switch self {
      case .keyNotFound(let key, let context): ("keyNotFound", context, key)
      case .typeMismatch(let type, let context): ("typeMismatch \(type)", context, nil)
      case .valueNotFound(let type, let context): ("valueNotFound \(type)", context, nil)
      case .dataCorrupted(let context): ("dataCorrupted", context, nil)
      @unknown default: ("\(self)", Context(codingPath: [], debugDescription: ""), nil)
      }
    let path = (context.codingPath + (key.map { [$0] } ?? [])).map(\.stringValue)
    return "\(name) at /\(path.joined(separator: "/")): \(context.debugDescription)"
  }
}

/// The differences between decoding a record directly and through a foreign decoder; empty unless
/// one of the two is wrong.
///
/// Decodes variants of an object, each of which lacks a member, or has another value in its place.
public func differences<Record: Decodable>(
  _ type: Record.Type, _ sample: Value
) throws -> [String] {
  guard case .object(let members) = sample else { return ["\(sample) is not an object"] }
  var differences: [String] = []
  for (key, _) in members {
    for replacement: Value? in [nil, .null, true, 1.5, 7, "x", [], ["x": 1]] {
      var changed = members
      changed[key] = replacement
      let value = Value.object(changed)
      let own = outcome { try value.decode(type) }
      let foreign = outcome { try value.decode(ForeignlyDecoded<Record>.self).content }
      if own != foreign { differences.append("\(own) instead of \(foreign)") }
    }
  }
  let own = try sample.decode(type)
  let foreign = try sample.decode(ForeignlyDecoded<Record>.self).content
  if "\(own)" != "\(foreign)" { differences.append("\(own) instead of \(foreign)") }
  return differences
}
