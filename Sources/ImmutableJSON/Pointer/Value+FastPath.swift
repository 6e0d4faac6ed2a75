internal import CScan

// A fast path for the most frequent operations of reducers, which creates no strings for tokens.
// These functions return nil if the operation fails, and if the pointer has an escape or the index
// "-". Edits also return nil for an empty or long pointer, and for setting a key with control
// characters, quotation marks or backslashes. Callers then use the plain function, which reports
// the error.

extension Value {
  /// Returns the same as ``get(_:)`` for the text of a pointer.
  package func fastPathGet(_ pointer: UnsafeRawBufferPointer) -> Value? {
    var rest = pointer
    guard let token = rest.takeToken() else { return rest.isEmpty ? self : nil }
    // Without a reference to this value: other threads may count references to it, too.
    guard var value = self.element(at: token) else { return nil }
    while let token = rest.takeToken() {
      guard let next = value.element(at: token) else { return nil }
      value = next
    }
    return rest.isEmpty ? value : nil
  }

  /// Returns the same as ``setting(_:_:)`` for the text of a pointer.
  package func fastPathSetting(_ pointer: UnsafeRawBufferPointer, _ element: Value) -> Value? {
    self.fastPathEditing(pointer, .set, element)
  }

  /// Returns the same as ``inserting(_:_:)`` for the text of a pointer.
  package func fastPathInserting(_ pointer: UnsafeRawBufferPointer, _ element: Value) -> Value? {
    self.fastPathEditing(pointer, .insert, element)
  }

  /// Returns the same as ``removing(_:)`` for the text of a pointer.
  package func fastPathRemoving(_ pointer: UnsafeRawBufferPointer) -> Value? {
    self.fastPathEditing(pointer, .remove, .null)
  }

  private func fastPathEditing(
    _ pointer: UnsafeRawBufferPointer, _ edit: Edit, _ element: Value
  ) -> Value? {
    // Bounds the recursion, which is one level for each token and each level of its tree.
    let maxLength = 256
    guard (1...maxLength).contains(pointer.count),
      let value = self.editing(pointer, edit, element), !value.exceedsLimits
    else { return nil }
    return value
  }

  fileprivate enum Edit {
    case set, insert, remove
  }

  private func editing(
    _ pointer: UnsafeRawBufferPointer, _ edit: Edit, _ element: Value
  ) -> Value? {
    var rest = pointer
    guard let token = rest.takeToken() else { return nil }
    switch self {
    case .object(let object):
      guard !rest.isEmpty else {
        return object.applying(edit, element, at: token).map(Value.object)
      }
      return object.root?.replacing(at: .key(KeyBytes(token))) { $0.editing(rest, edit, element) }
        .map { .object(JSONObject(root: $0)) }
    case .array(let array):
      guard let index = token.decimalIndex, index <= array.count else { return nil }
      guard !rest.isEmpty else { return array.applying(edit, element, at: index).map(Value.array) }
      guard index < array.count else { return nil }
      return array.root?.replacing(at: .index(index)) { $0.editing(rest, edit, element) }
        .map { .array(JSONArray(root: $0)) }
    default:
      return nil
    }
  }

  private func element(at token: UnsafeRawBufferPointer) -> Value? {
    switch self {
    case .object(let object):
      return object.root?.value(at: .key(KeyBytes(token)))
    case .array(let array):
      guard let index = token.decimalIndex, index < array.count else { return nil }
      return array[index]
    default:
      return nil
    }
  }
}

extension JSONObject {
  fileprivate func applying(
    _ edit: Value.Edit, _ element: Value, at token: UnsafeRawBufferPointer
  ) -> JSONObject? {
    let key = KeyBytes(token)
    guard edit != .remove else {
      return self.root?.removing(at: .key(key)).map { JSONObject(root: $0.collapsed) }
    }
    guard token.isPlainText else { return nil }
    guard let root = self.root else { return JSONObject(root: .leaf(key, element)) }
    return JSONObject(root: .top(root.putting(element, at: .key(key), isInsertion: false)))
  }
}

extension JSONArray {
  /// Requires an index up to the count.
  fileprivate func applying(_ edit: Value.Edit, _ element: Value, at index: Int) -> JSONArray? {
    guard edit != .remove else {
      guard index < self.count else { return nil }
      return self.root?.removing(at: .index(index)).map { JSONArray(root: $0.collapsed) }
    }
    guard let root = self.root else { return [element] }
    return JSONArray(
      root: .top(root.putting(element, at: .index(index), isInsertion: edit == .insert)))
  }
}

extension UnsafeRawBufferPointer {
  /// Removes and returns the first token of a pointer; `nil` unless it begins with `/` and has no
  /// escape.
  mutating func takeToken() -> UnsafeRawBufferPointer? {
    guard let start = self.baseAddress, self.first == UInt8(ascii: "/") else { return nil }
    var end = 1
    while end < self.count {
      let byte = start.load(fromByteOffset: end, as: UInt8.self)
      if byte == UInt8(ascii: "/") { break }
      if byte == UInt8(ascii: "~") { return nil }
      end += 1
    }
    let token = UnsafeRawBufferPointer(start: start + 1, count: end - 1)
    self = UnsafeRawBufferPointer(start: start + end, count: self.count - end)
    return token
  }

  /// Whether this is UTF-8 without control characters, quotation marks and backslashes.
  fileprivate var isPlainText: Bool {
    guard let start = self.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return true }
    let end = start + self.count
    return scan_characters(start, end) == end
  }

  /// An index of up to nine digits, without a leading zero.
  var decimalIndex: Int? {
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
