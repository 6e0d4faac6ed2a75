/// A type that creates its JSON without containers, or caches it. `Value(encoding:)` uses this
/// instead of calling `encode(to:)`.
package protocol ValueRepresentable: Encodable {
  /// The value that `encode(to:)` encodes.
  func representation() throws -> Value
}

extension Array: ValueRepresentable where Element: ValueRepresentable {
  package func representation() throws -> Value {
    .array(JSONArray(try self.map { try $0.representation() }))
  }
}

/// The keys of objects that have the same members, prepared once and shared by these objects.
package struct MemberKeys: @unchecked Sendable {
  private let names: [String]

  /// The keys in ascending order; `nil` if they do not fit in one node.
  private let keys: KeyBlock?

  /// For each of the keys in ascending order, the index of its name.
  private let order: [Int]

  /// - Parameter names: Distinct names.
  package init(_ names: [String]) {
    let objects = names.enumerated().map { ($0.element, Value.integer(Int64($0.offset))) }
    let slots = JSONObject(objects)
    self.names = names
    self.keys = slots.root.flatMap { $0.isLeaf ? $0.keys : nil }
    self.order = slots.values.compactMap {
      if case .integer(let index) = $0 { Int(index) } else { nil }
    }
  }

  /// Creates an object of a value for each name.
  package func object(_ values: [Value]) -> Value {
    guard let keys, values.count == self.order.count else {
      return .object(JSONObject(zip(self.names, values).map { ($0, $1) }))
    }
    return .object(
      JSONObject(root: .leaf(keys: keys, count: values.count) { values[self.order[$0]] }))
  }
}
