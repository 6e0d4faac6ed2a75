/// Creates objects that have the same keys, which they share.
package struct ObjectTemplate: @unchecked Sendable {
  private let keys: KeyBlock

  /// For each slot, the index of its value.
  private let order: [Int]

  /// - Parameter keys: The keys, in the order in which the values will be.
  /// - Returns: `nil` if there are no keys or more than fit in a node, or if one is repeated.
  package init?(_ keys: [String]) {
    guard !keys.isEmpty, keys.count <= Node.maxParts else { return nil }
    let object = JSONObject(keys.enumerated().map { ($1, .integer(Int64($0))) })
    guard object.count == keys.count, let block = object.root?.keys else { return nil }
    self.keys = block
    self.order = object.values.map { if case .integer(let index) = $0 { Int(index) } else { 0 } }
  }

  /// The object with these values, one for each key.
  package func object(_ values: ContiguousArray<Value>) -> JSONObject {
    self.object { values[$0] }
  }

  /// The object with these values, by the index of each key.
  @inline(__always)
  func object(_ value: (Int) -> Value) -> JSONObject {
    JSONObject(root: .leaf(keys: self.keys, count: self.order.count) { value(self.order[$0]) })
  }
}

/// The keys of objects that have the same members, prepared once and shared by these objects.
package struct MemberKeys: Sendable {
  private let names: [String]

  /// `nil` if the keys do not fit in one node.
  private let template: ObjectTemplate?

  /// - Parameter names: Distinct names.
  package init(_ names: [String]) {
    self.names = names
    self.template = ObjectTemplate(names)
  }

  /// Creates an object of these values, in the order of the names.
  package func object(_ values: [Value]) -> Value {
    guard let template, values.count == self.names.count else {
      return .object(JSONObject(zip(self.names, values).map { ($0, $1) }))
    }
    return .object(template.object { values[$0] })
  }
}

/// Objects of one member each, nested in each other: `{"ui": {"_0": {"editor": …}}}`.
///
/// The keys are prepared once, and shared by all values that ``value(around:)`` returns.
package struct Nesting: @unchecked Sendable {
  /// The keys from the innermost object to the outermost.
  private let keys: [KeyBlock]

  /// - Parameter keys: The keys from the outermost object to the innermost.
  package init(_ keys: [String]) {
    self.keys = keys.reversed().map { key in
      key.withKeyBytes { .make([$0]) }
    }
  }

  /// The objects with `value` in the innermost.
  package func value(around value: Value) -> Value {
    self.keys.reduce(value) { value, key in
      .object(JSONObject(root: .leaf(keys: key, count: 1) { _ in value }))
    }
  }
}
