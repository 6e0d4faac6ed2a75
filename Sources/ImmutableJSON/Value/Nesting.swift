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
