/// Builds a value of its parts: first those in an array or object, then the array or object itself.
///
/// Uses the stacks and cached shapes of the parser of this thread, so it allocates only the value.
package struct ValueBuilder: ~Copyable {
  private let parser = JSONParser.acquire()

  package init() {}

  deinit {
    self.parser.release()
  }
}

extension ValueBuilder {
  /// Appends an element of an array.
  package func append(_ value: consuming Value) {
    self.parser.values.push(value)
  }

  /// Appends a member of an object. The bytes of the key must be valid until the object is made.
  package func append(_ value: consuming Value, _ key: KeyBytes) {
    self.parser.keys.push(key)
    self.parser.values.push(value)
  }

  /// Makes an object of the last `count` members. O(n log n).
  package func makeObject(count: Int) throws(DuplicateKeyError) -> Value {
    let first = self.parser.keys.count - count
    let keys = self.parser.keys.elements(from: first)
    let container = JSONParser.Container(
      isObject: true, firstValue: self.parser.values.count - count, firstKey: first)
    // The keys stay in the memory of the stack until others are appended.
    self.parser.closeObject(container)
    guard case .object(let object) = self.parser.values.pop(), object.count == count else {
      throw DuplicateKeyError(keys)
    }
    return .object(object)
  }

  /// Makes an array of the last `count` elements. O(n).
  package func makeArray(count: Int) -> Value {
    let container = JSONParser.Container(
      isObject: false, firstValue: self.parser.values.count - count,
      firstKey: self.parser.keys.count)
    self.parser.closeArray(container)
    return self.parser.values.pop() ?? .null
  }
}

/// Two members of an object have the same key.
package struct DuplicateKeyError: Error {
  package let key: String

  fileprivate init(_ keys: UnsafeMutableBufferPointer<KeyBytes>) {
    let sorted = keys.sorted { $0.compare($1) < 0 }
    let pair = zip(sorted, sorted.dropFirst()).first { $0.isEqual(to: $1) }
    self.key = String(decoding: pair?.0.bytes ?? .init(start: nil, count: 0), as: UTF8.self)
  }
}
