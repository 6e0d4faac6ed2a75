/// A key that is looked up in many objects: its bytes are made ready once.
///
/// ```swift
/// let name = ObjectKey("name")
/// records.map { $0[name] }
/// ```
public final class ObjectKey: @unchecked Sendable {
  /// In memory of its own, which is written here only and lives as long as the key.
  fileprivate let bytes: KeyBytes

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
  /// The value of a member. O(log n).
  public subscript(key: ObjectKey) -> Value? {
    withExtendedLifetime(key) {
      self.root?.value(at: .key(key.bytes))
    }
  }
}

extension Value {
  /// What the value of a member is, if this is an object that has it. O(log n).
  public subscript(key: ObjectKey) -> Value? {
    switch self {
    case .object(let object): object[key]
    default: nil
    }
  }
}

extension ValueSequence {
  /// The values of this member in those of the values that have it, without the nulls. O(n).
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
