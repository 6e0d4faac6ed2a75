// A fast path for the most frequent operations of reducers, which creates no strings for tokens.
// These functions return nil if nothing is at the pointer, or if it is invalid or has an escape or
// an index of "-". Callers then use the plain function, which reports the error.

extension Value {
  /// Returns the same as ``get(_:)`` for the text of a pointer.
  package func fastPathGet(_ pointer: UnsafeRawBufferPointer) -> Value? {
    var value = self
    var rest = pointer
    while let token = rest.takeToken() {
      guard let next = value.element(at: token) else { return nil }
      value = next
    }
    return rest.isEmpty ? value : nil
  }

  /// Returns the same as ``setting(_:_:)`` for the text of a pointer to an existing value. (A new
  /// key would need validation: it may not be UTF-8.)
  package func fastPathSetting(_ pointer: UnsafeRawBufferPointer, _ element: Value) -> Value? {
    // Bounds the recursion, which is one level for each token and each level of its tree.
    let maxLength = 256
    guard (1...maxLength).contains(pointer.count),
      let value = self.replacing(at: pointer, element), !value.exceedsLimits
    else { return nil }
    return value
  }

  private func replacing(at pointer: UnsafeRawBufferPointer, _ element: Value) -> Value? {
    var rest = pointer
    guard let token = rest.takeToken() else { return rest.isEmpty ? element : nil }
    switch self {
    case .object(let object):
      guard !token.hasEscape else { return nil }
      return object.root?.replacing(at: .key(KeyBytes(token.bytes))) {
        $0.replacing(at: rest, element)
      }.map { .object(JSONObject(root: $0)) }
    case .array(let array):
      guard let index = token.bytes.decimalIndex, index < array.count else { return nil }
      return array.root?.replacing(at: .index(index)) {
        $0.replacing(at: rest, element)
      }.map { .array(JSONArray(root: $0)) }
    default:
      return nil
    }
  }

  private func element(at token: PointerToken) -> Value? {
    switch self {
    case .object(let object):
      guard !token.hasEscape else { return nil }
      return object.root?.value(at: .key(KeyBytes(token.bytes)))
    case .array(let array):
      guard let index = token.bytes.decimalIndex, index < array.count else { return nil }
      return array[index]
    default:
      return nil
    }
  }
}

/// A token of the text of a pointer.
private struct PointerToken {
  let bytes: UnsafeRawBufferPointer
  let hasEscape: Bool
}

extension UnsafeRawBufferPointer {
  /// Removes and returns the first token of a pointer; `nil` unless it begins with `/`.
  fileprivate mutating func takeToken() -> PointerToken? {
    guard let start = self.baseAddress, self.first == UInt8(ascii: "/") else { return nil }
    var end = 1
    var hasEscape = false
    while end < self.count {
      let byte = start.load(fromByteOffset: end, as: UInt8.self)
      if byte == UInt8(ascii: "/") { break }
      hasEscape = hasEscape || byte == UInt8(ascii: "~")
      end += 1
    }
    let token = UnsafeRawBufferPointer(start: start + 1, count: end - 1)
    self = UnsafeRawBufferPointer(start: start + end, count: self.count - end)
    return PointerToken(bytes: token, hasEscape: hasEscape)
  }

  /// An index of up to nine digits, without a leading zero.
  fileprivate var decimalIndex: Int? {
    guard (1...9).contains(self.count), self[0] != UInt8(ascii: "0") || self.count == 1 else {
      return nil
    }
    var index = 0
    for byte in self {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      index = 10 * index + Int(byte - UInt8(ascii: "0"))
    }
    return index
  }
}
