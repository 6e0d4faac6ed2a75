/// The place in an expression of a node that reads a collection, and that an evaluation reaches at
/// most once. The results of such nodes can be kept (``PartialResults``).
struct Site: Sendable {
  /// Unique in the expression.
  let index: Int

  /// Whether what is evaluated on each element uses variables that are bound by a `let`.
  let readsLocals: Bool
}
