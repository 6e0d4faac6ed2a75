import ImmutableJSON
import JMESPath
import TestSupport
import Testing

/// Changes outside the paths of an expression do not affect its result.
@Suite struct PathPropertyTests {
  private static let arguments = JSONObject([("x", 1), ("y", "a"), ("k", "b")])

  private func outcome(_ expression: Expression, _ value: Value) -> Result<Value, JMESPathError> {
    Result { () throws(JMESPathError) in
      try expression.evaluate(value, arguments: Self.arguments)
    }
  }

  /// Whether one path is a prefix of the other.
  private func areRelated(_ left: [String], _ right: [String]) -> Bool {
    zip(left, right).allSatisfy { $0 == $1 }
  }

  @Test(arguments: seeds(2))
  func soundness(_ seed: Int) throws {
    var generator = Generator(seed: seed)
    var (outside, same) = (0, 0)
    for _ in 0..<2000 {
      let expression = try Expression(generator.expression())
      let value = generator.object()
      let result = self.outcome(expression, value)
      let paths = expression.paths(with: Self.arguments)
      let readSet = expression.readSet(of: value, with: Self.arguments)
      for _ in 0..<4 {
        let mutated = generator.mutated(value)
        let isOutside = !paths.contains { self.areRelated($0.keys, mutated.keys) }
        let isSame = readSet.isUnchanged(in: mutated.value)
        outside += isOutside ? 1 : 0
        same += isSame ? 1 : 0
        #expect(isSame || !isOutside, "\(expression.text) on \(value), then \(mutated.value)")
        guard isOutside || isSame else { continue }
        let again = self.outcome(expression, mutated.value)
        #expect(result == again, "\(expression.text) on \(value), then \(mutated.value)")
      }
    }
    #expect(outside > 200)
    #expect(same > outside)
  }

  @Test(arguments: seeds(2))
  func theResultOfAPathIsTheValueThere(_ seed: Int) throws {
    var generator = Generator(seed: seed)
    var count = 0
    for _ in 0..<2000 {
      let expression = try Expression(generator.expression())
      let value = generator.object()
      guard expression.isPath(with: Self.arguments, budget: WorkBudget()) else { continue }
      count += 1
      let path = try #require(expression.paths(with: Self.arguments).first)
      let found = path.keys.reduce(value) { $0[$1] ?? .null }
      #expect(self.outcome(expression, value) == .success(found), "\(expression.text) on \(value)")
    }
    #expect(count > 50)
  }
}
