/// A type that has its JSON at hand: where it is encoded to a ``Value``, this is taken, and its
/// `encode(to:)` is for other encoders.
package protocol ValueRepresentable: Encodable {
  /// The same that `encode(to:)` encodes.
  func representation() throws -> Value
}
