/// What keeps an expression from using up the stack or the memory.
enum Limits {
  /// How deep an expression nests at most, and how much deeper its result nests than what it is
  /// made from.
  static let depth = 500

  /// How many elements, and how many times 16 bytes of text, one evaluation makes and compares at
  /// most.
  static let elements = 1 << 24

  /// How many keys a ``Path`` has at most; what lies deeper is read under one that is shorter.
  static let pathLength = 128

  /// How many paths an expression has at most; one that would have more reads everything.
  static let paths = 1024
}
