/// The variables that are bound at a place in an expression.
struct Bindings {
  /// The levels of each name: how many variables were bound before it, and are still. The last of
  /// them counts.
  private var levels: [String: [Int]] = [:]

  private var count = 0

  /// The level of the variable with a name.
  subscript(name: String) -> Int? {
    self.levels[name]?.last
  }

  mutating func bind(_ name: String) {
    self.levels[name, default: []].append(self.count)
    self.count += 1
  }

  /// Ends the latest bindings, which have these names.
  mutating func unbind(_ names: [String]) {
    for name in names {
      _ = self.levels[name]?.popLast()
      self.count -= 1
    }
  }
}
