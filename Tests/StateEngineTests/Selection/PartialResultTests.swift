import ImmutableJSON
import JMESPath
import Testing

@testable import StateEngine

/// What expressions keep of their evaluations.
@Suite struct PartialResultTests {
  private func state(_ count: Int, _ first: Value = 1) -> Value {
    .object([
      "r": .object(JSONObject((0..<count).map { ("k\($0)", $0 == 0 ? first : .integer(2)) }))
    ])
  }

  private func counts(_ table: PartialResultTable) -> [String: Int64] {
    guard case .object(let counts)? = table.statistics.first?.1 else { return [:] }
    return Dictionary(uniqueKeysWithValues: counts.map { ($0, $1.integer ?? -1) })
  }

  @Test func resultsAreKeptFromTheSecondEvaluationOn() throws {
    let table = PartialResultTable()
    let expression = try Expression("sum(r.*)")
    var state = self.state(1000)
    func evaluate() throws -> Value { try table.evaluate(expression, state, [:], WorkBudget()) }
    #expect(try evaluate() == 1999)
    #expect(self.counts(table) == [:])
    #expect(try evaluate() == 1999)
    var counts = self.counts(table)
    #expect(counts["expressions"] == 1 && counts["elements"] == 2000)
    guard case .object(var members)? = state["r"] else { return }
    members["k500"] = 10
    state = .object(["r": .object(members)])
    #expect(try evaluate() == 2007)
    let before = counts
    counts = self.counts(table)
    #expect(counts["evaluations"] == 2 && counts["elements"] == 2004)
    #expect(counts["bytes"] == before["bytes"])
  }

  @Test func memoryIsBounded() throws {
    let table = PartialResultTable(byteCapacity: 100_000)
    let expression = try Expression("length(r.* | [?@ > $x])")
    let state = self.state(1000)
    for _ in 0..<40 {
      for x in 0..<10 {
        let length = try table.evaluate(expression, state, ["x": .integer(Int64(x))], WorkBudget())
        #expect(length == .integer(x < 1 ? 1000 : x < 2 ? 999 : 0))
      }
      #expect(self.counts(table)["bytes"] ?? 0 <= 166_000)
    }
    // Others go, but most evaluations do without.
    #expect(try #require(self.counts(table)["elements"]) < 100_000)
  }

  @Test func theCollectionsThatResultsReferToAreBounded() throws {
    let table = PartialResultTable()
    let texts = JSONObject(
      (0..<200).map { ("k\($0)", .string(String(repeating: "a", count: 1 << 15))) })
    for x in 0..<40 {
      var members = texts
      members["k0"] = .integer(Int64(x))
      let expression = try Expression("length(r.* | [?@ == `\(x)`])")
      for _ in 0..<2 {
        let state = ["r": .object(members)] as Value
        #expect(try table.evaluate(expression, state, [:], WorkBudget()) == 1)
      }
    }
    // Those of 64 MiB, and of 8 states.
    #expect(self.counts(table)["expressions"] == 18)
  }

  @Test func resultsOfNoUseAreDropped() throws {
    let table = PartialResultTable()
    let expression = try Expression("sum(r.*)")
    // Each state is new, and so are errors.
    for index in 0..<18 {
      let state = self.state(1000, index % 4 == 0 ? "text" : 1)
      _ = try? table.evaluate(expression, state, [:], WorkBudget())
    }
    #expect(self.counts(table)["expressions"] ?? 0 == 0)
  }

  @Test func threadsEvaluateAtTheSameTime() async throws {
    let table = PartialResultTable()
    let expression = try Expression("sum(r.*)")
    let states = (0..<8).map { self.state(500, .integer($0)) }
    await withTaskGroup(of: Void.self) { group in
      for thread in 0..<4 {
        group.addTask {
          for round in 0..<50 {
            let index = (round * (thread + 1)) % states.count
            let sum = try? table.evaluate(expression, states[index], [:], WorkBudget())
            #expect(sum == .integer(Int64(998 + index)))
          }
        }
      }
    }
  }

  @Test(arguments: [
    ("sum(a.*.b)", nil), ("a[?b > $x] | [-3:].c", nil), ("{x: length(a), y: max(a.*.b)}", nil),
    ("[a, b][].c", "[] after a list joins its elements"),
    ("a[::2]", "a slice with a step reads all elements"),
    ("a.*.b[].c", nil), ("keys(a)", nil),
    ("not_null(a, join(',', b))", "join() reads all elements"),
    ("let $x = max(a) in b[?c == $x]", "a filter depends on a variable of a let"),
  ])
  func obstacles(text: String, obstacle: String?) throws {
    #expect(try Expression(text).incrementalObstacle == obstacle)
  }
}
