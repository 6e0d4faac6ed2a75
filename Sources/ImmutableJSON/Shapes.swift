internal import CJansson

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The keys that small objects had, so that the next object with the same members need not sort them
/// and shares them: the records of a list, the actions of a store.
///
/// A table of fixed size, in which an object has its place by its number of members and the first
/// key of its text; another that has the same place takes it.
package struct Shapes: Sendable {
  private var known = [Shape?](repeating: nil, count: Self.places)

  private static var places: Int { 64 }

  /// Whether there is something to remember that was not there before.
  package private(set) var hasChanged = false

  package init() {}

  /// The same, as the next text finds it.
  package var remembered: Shapes {
    var shapes = self
    shapes.hasChanged = false
    return shapes
  }

  private final class Shape: @unchecked Sendable {
    let keys: KeyBlock

    /// For each member in the order of the text, its slot in the order of keys.
    let slots: [Int]

    init(keys: KeyBlock, slots: [Int]) {
      self.keys = keys
      self.slots = slots
    }

    func fits(_ keys: UnsafeMutableBufferPointer<KeyBytes>) -> Bool {
      guard keys.count == self.slots.count else { return false }
      for (key, slot) in zip(keys, self.slots)
      where self.keys.withKey(at: slot, { $0.compare(key) != 0 }) {
        return false
      }
      return true
    }
  }
}

// MARK: Converting jansson's values

extension Shapes {
  /// Converts a value that may nest `depth` deep.
  mutating func read(
    _ json: UnsafeMutablePointer<json_t>, depth: Int
  ) throws(JSONReadError) -> Value {
    switch json.pointee.type {
    case JSON_OBJECT: return .object(try self.readObject(json, depth: self.within(depth)))
    case JSON_ARRAY: return .array(try self.readArray(json, depth: self.within(depth)))
    case JSON_STRING:
      let bytes = UnsafeRawBufferPointer(
        start: json_string_value(json), count: json_string_length(json))
      return .string(String(decoding: bytes, as: UTF8.self))
    case JSON_INTEGER: return .integer(json_integer_value(json))
    case JSON_REAL: return .real(json_real_value(json))
    case JSON_TRUE: return .bool(true)
    case JSON_FALSE: return .bool(false)
    default: return .null
    }
  }

  private func within(_ depth: Int) throws(JSONReadError) -> Int {
    guard depth > 0 else {
      throw JSONReadError(
        code: .limit, message: "nesting deeper than \(Value.maximumDepth)", line: 0, column: 0,
        offset: 0)
    }
    return depth - 1
  }

  private mutating func readArray(
    _ json: UnsafeMutablePointer<json_t>, depth: Int
  ) throws(JSONReadError) -> JSONArray {
    let count = json_array_size(json)
    var elements: ContiguousArray<Value> = []
    elements.reserveCapacity(count)
    for index in 0..<count {
      guard let element = json_array_get(json, index) else { break }
      elements.append(try self.read(element, depth: depth))
    }
    return JSONArray(root: .build(elements))
  }

  private mutating func readObject(
    _ json: UnsafeMutablePointer<json_t>, depth: Int
  ) throws(JSONReadError) -> JSONObject {
    let capacity = json_object_size(json)
    let keys = UnsafeMutableBufferPointer<KeyBytes>.allocate(capacity: capacity)
    defer { keys.deallocate() }
    var values: ContiguousArray<Value> = []
    values.reserveCapacity(capacity)
    var iterator = json_object_iter(json)
    while let member = iterator, values.count < capacity {
      if let key = json_object_iter_key(member), let value = json_object_iter_value(member) {
        let bytes = UnsafeRawBufferPointer(start: key, count: strlen(key))
        keys.initializeElement(at: values.count, to: KeyBytes(bytes))
        values.append(try self.read(value, depth: depth))
      }
      iterator = json_object_iter_next(json, member)
    }
    let known = UnsafeMutableBufferPointer(rebasing: keys[..<values.count])
    return JSONObject(root: self.node(known, values))
  }

  /// A number below ``places``.
  private static func place(_ keys: UnsafeMutableBufferPointer<KeyBytes>) -> Int {
    let first = keys.first?.prefix ?? 0
    let mixed = (first ^ UInt64(keys.count)) &* 0x9E37_79B9_7F4A_7C15
    return Int(mixed >> 58)
  }

  private mutating func node(
    _ keys: UnsafeMutableBufferPointer<KeyBytes>, _ values: ContiguousArray<Value>
  ) -> Node? {
    let place = Self.place(keys)
    if let shape = self.known[place], shape.fits(keys) {
      var sorted = values
      for (index, slot) in shape.slots.enumerated() {
        sorted[slot] = values[index]
      }
      return .leaf(keys: shape.keys, sorted)
    }
    // jansson keeps the last of equal keys, so these are all different.
    let order = keys.indices.sorted { keys[$0].compare(keys[$1]) < 0 }
    let node = Node.build(order.map { keys[$0] }, ContiguousArray(order.map { values[$0] }))
    if let node, node.isLeaf, let block = node.keys {
      var slots = order
      for (slot, index) in order.enumerated() {
        slots[index] = slot
      }
      self.known[place] = Shape(keys: block, slots: slots)
      self.hasChanged = true
    }
    return node
  }
}
