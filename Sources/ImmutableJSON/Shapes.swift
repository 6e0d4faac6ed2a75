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

  /// A member of an object, in jansson's memory.
  private struct Member {
    let key: KeyBytes
    let value: UnsafeMutablePointer<json_t>
  }

  private final class Shape: @unchecked Sendable {
    let keys: KeyBlock

    /// For each key, which member of the text it is that of.
    let order: [Int]

    init(keys: KeyBlock, order: [Int]) {
      self.keys = keys
      self.order = order
    }

    func fits(_ members: UnsafeMutableBufferPointer<Member>) -> Bool {
      guard members.count == self.order.count else { return false }
      for (slot, index) in self.order.enumerated()
      where self.keys.withKey(at: slot, { $0.compare(members[index].key) != 0 }) {
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
    let members = UnsafeMutableBufferPointer<Member>.allocate(capacity: capacity)
    defer { members.deallocate() }
    var count = 0
    var iterator = json_object_iter(json)
    while let member = iterator, count < capacity {
      if let key = json_object_iter_key(member), let value = json_object_iter_value(member) {
        let bytes = UnsafeRawBufferPointer(start: key, count: json_object_iter_key_len(member))
        guard !bytes.contains(0) else {
          throw JSONReadError(
            code: .invalid, message: ObjectKeyError.message, line: 0, column: 0, offset: 0)
        }
        members.initializeElement(at: count, to: Member(key: KeyBytes(bytes), value: value))
        count += 1
      }
      iterator = json_object_iter_next(json, member)
    }
    let known = UnsafeMutableBufferPointer(rebasing: members[..<count])
    return JSONObject(root: try self.readNode(known, depth: depth))
  }

  private mutating func readNode(
    _ members: UnsafeMutableBufferPointer<Member>, depth: Int
  ) throws(JSONReadError) -> Node? {
    let place = Self.place(members)
    if let shape = self.known[place], shape.fits(members) {
      return try .leaf(keys: shape.keys, count: members.count) { slot throws(JSONReadError) in
        try self.read(members[shape.order[slot]].value, depth: depth)
      }
    }
    // jansson keeps the last of equal keys, so these are all different.
    let order = members.indices.sorted { members[$0].key.compare(members[$1].key) < 0 }
    var values: ContiguousArray<Value> = []
    values.reserveCapacity(members.count)
    for index in order {
      values.append(try self.read(members[index].value, depth: depth))
    }
    let node = Node.build(order.map { members[$0].key }, values)
    if let node, node.isLeaf, let keys = node.keys {
      self.known[place] = Shape(keys: keys, order: order)
      self.hasChanged = true
    }
    return node
  }

  /// A number below ``places``.
  private static func place(_ members: UnsafeMutableBufferPointer<Member>) -> Int {
    let first = members.first?.key.prefix ?? 0
    let mixed = (first ^ UInt64(members.count)) &* 0x9E37_79B9_7F4A_7C15
    return Int(mixed >> 58)
  }
}
