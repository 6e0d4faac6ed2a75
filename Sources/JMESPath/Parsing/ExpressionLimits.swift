/// What keeps an expression from using up the stack or the memory.
enum ExpressionLimits {
  /// How deep an expression nests at most. Reading, evaluating and destroying one recur as deep: with
  /// this limit each takes less than 128 KB of stack.
  static let depth = 110

  /// How many keys a ``Path`` has at most; what lies deeper is read under one that is shorter.
  static let pathLength = 128

  /// How many paths an expression has at most; one that would have more reads everything.
  static let paths = 1024
}
