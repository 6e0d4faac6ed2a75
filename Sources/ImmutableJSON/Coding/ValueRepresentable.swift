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
