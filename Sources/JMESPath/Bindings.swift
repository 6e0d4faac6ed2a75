/// The variables that are bound at a place in an expression.
struct Bindings {
  private var bound: [Variable] = []

  /// Where in `bound` each name stands; the last of them counts.
  private var levels: [String: [Int]] = [:]

  struct Variable {
    /// How many were bound before it, and are still.
    let level: Int

    /// How much deeper its value may nest than what it is made from.
    let growth: Int
  }

  subscript(name: String) -> Variable? {
    self.levels[name]?.last.map { self.bound[$0] }
  }

  mutating func bind(_ name: String, growth: Int) {
    let level = self.bound.count
    self.levels[name, default: []].append(level)
    self.bound.append(Variable(level: level, growth: growth))
  }

  /// Ends the latest bindings, which have these names.
  mutating func unbind(_ names: [String]) {
    for name in names {
      _ = self.levels[name]?.popLast()
      _ = self.bound.popLast()
    }
  }
}
