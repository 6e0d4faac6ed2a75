/// Limits that protect the stack and the memory.
enum ExpressionLimits {
  /// The maximum nesting depth of an expression. Parsing, evaluating and destroying it recurse to
  /// this depth, and each takes less than 256 KB of stack.
  static let depth = 110

  /// The maximum number of keys in a ``Path``. Longer paths are truncated.
  static let pathLength = 128

  /// The maximum number of paths of an expression. One with more is treated as reading everything.
  static let paths = 1024
}
