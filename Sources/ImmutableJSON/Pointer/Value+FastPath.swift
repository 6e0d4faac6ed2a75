// What reducers ask most, without making strings of the tokens of a pointer. Each answers nil where
// the plain function has more to say: nothing is there, or the pointer has an escape, an index of
// "-", or is none.

extension Value {
  /// The same as ``get(_:)`` with the text of a pointer.
  package func fastPathGet(_ pointer: UnsafeRawBufferPointer) -> Value? {
    var value = self
    var rest = pointer
    while let token = rest.quickToken() {
      guard let next = value.fastPathGet(token: token) else { return nil }
      value = next
    }
    return rest.isEmpty ? value : nil
  }

  /// The same as ``setting(_:_:)`` with the text of a pointer to something that is there. (A new key
  /// would have to be looked at first: it may be no UTF-8.)
  package func fastPathSetting(_ pointer: UnsafeRawBufferPointer, _ element: Value) -> Value? {
    // Recurses for each token, and for each level of its tree.
    let longest = 256
    guard (1...longest).contains(pointer.count),
      let value = self.fastPathSetting(at: pointer, element), !value.isBeyondLimits
    else { return nil }
    return value
  }

  private func fastPathSetting(at pointer: UnsafeRawBufferPointer, _ element: Value) -> Value? {
    var rest = pointer
    guard let token = rest.quickToken() else { return rest.isEmpty ? element : nil }
    switch self {
    case .object(let object):
      guard !token.contains(UInt8(ascii: "~")) else { return nil }
      return object.root?.replacing(at: .key(KeyBytes(token))) {
        $0.fastPathSetting(at: rest, element)
      }.map { .object(JSONObject(root: $0)) }
    case .array(let array):
      guard let index = token.quickIndex, index < array.count else { return nil }
      return array.root?.replacing(at: .index(index)) {
        $0.fastPathSetting(at: rest, element)
      }.map { .array(JSONArray(root: $0)) }
    default:
      return nil
    }
  }

  private func fastPathGet(token: UnsafeRawBufferPointer) -> Value? {
    switch self {
    case .object(let object):
      guard !token.contains(UInt8(ascii: "~")) else { return nil }
      return object.root?.value(at: .key(KeyBytes(token)))
    case .array(let array):
      guard let index = token.quickIndex, index < array.count else { return nil }
      return array[index]
    default:
      return nil
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Takes the first token off a pointer; `nil` if there is none.
  fileprivate mutating func quickToken() -> UnsafeRawBufferPointer? {
    guard self.first == UInt8(ascii: "/") else { return nil }
    var end = 1
    while end < self.count, self[end] != UInt8(ascii: "/") {
      end += 1
    }
    let token = UnsafeRawBufferPointer(rebasing: self[1..<end])
    self = UnsafeRawBufferPointer(rebasing: self[end...])
    return token
  }

  /// An index of up to nine digits, without a leading zero.
  fileprivate var quickIndex: Int? {
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
