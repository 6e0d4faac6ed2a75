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
