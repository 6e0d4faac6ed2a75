/// A type with a cached JSON representation, which `Value(encoding:)` uses instead of calling
/// `encode(to:)`.
package protocol ValueRepresentable: Encodable {
  /// The value that `encode(to:)` encodes.
  func representation() throws -> Value
}
