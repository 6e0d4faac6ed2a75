/// The local variables in scope during parsing.
struct Bindings {
  /// The levels of each name, innermost last. The level of a variable is the number of variables in
  /// scope when it was bound.
  private var levels: [String: [Int]] = [:]

  private var count = 0

  /// The level of the innermost variable with a name.
  subscript(name: String) -> Int? {
    self.levels[name]?.last
  }

  mutating func bind(_ name: String) {
    self.levels[name, default: []].append(self.count)
    self.count += 1
  }

  /// Removes the latest bindings, which have these names.
  mutating func unbind(_ names: [String]) {
    for name in names {
      _ = self.levels[name]?.popLast()
      self.count -= 1
    }
  }
}
