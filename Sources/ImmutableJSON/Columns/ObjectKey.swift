/// A key prepared for lookup in many objects.
///
/// ```swift
/// let name = ObjectKey("name")
/// records.map { $0[name] }
/// ```
public final class ObjectKey: @unchecked Sendable {
  /// Points to memory owned by this key, which is immutable after `init`.
  package let bytes: KeyBytes

  public init(_ text: String) {
    self.bytes = text.withKeyBytes { key in
      let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: key.bytes.count, alignment: 8)
      copy.copyMemory(from: key.bytes)
      return KeyBytes(UnsafeRawBufferPointer(copy))
    }
  }

  deinit {
    self.bytes.bytes.deallocate()
  }

  /// The text of the key.
  public var text: String {
    String(decoding: self.bytes.bytes, as: UTF8.self)
  }
}

extension JSONObject {
  /// The value of a member, if present. O(log n).
  public subscript(key: ObjectKey) -> Value? {
    withExtendedLifetime(key) {
      self.root?.value(at: .key(key.bytes))
    }
  }
}

extension Value {
  /// The value of a member; `nil` if this is not an object or lacks the member. O(log n).
  public subscript(key: ObjectKey) -> Value? {
    switch self {
    case .object(let object): object[key]
    default: nil
    }
  }
}

extension ValueSequence {
  /// The values of a member across these values, without nulls and missing members. O(n).
  public func members(_ key: ObjectKey) -> ContiguousArray<Value> {
    var members: ContiguousArray<Value> = []
    members.reserveCapacity(self.underestimatedCount)
    self.forEach { value in
      guard let member = value[key] else { return }
      if case .null = member { return }
      members.append(member)
    }
    return members
  }
}

/// A key contains U+0000, which C strings cannot represent.
public struct ObjectKeyError: Error, Hashable {
  /// Returns `nil` if the key is valid.
  public init?(_ key: String) {
    guard key.utf8.contains(0) else { return nil }
  }

  init() {}
}

extension ObjectKeyError: CustomStringConvertible {
  public var description: String {
    "a key must not contain U+0000"
  }
}
