import ImmutableJSON
import JMESPath
import TestSupport
import Testing

/// Evaluations that keep partial results, compared with those that do not.
@Suite struct IncrementalTests {
  /// Compares results, errors and costs.
  private func check(
    _ expression: Expression, _ value: Value, _ arguments: JSONObject, _ budget: WorkBudget,
    _ results: PartialResults, _ comment: Comment
  ) -> Bool {
    let expected = Result { () throws(JMESPathError) in
      try expression.evaluate(value, arguments: arguments, budget: budget)
    }
    let result = Result { () throws(JMESPathError) in
      try expression.evaluate(value, arguments: arguments, budget: budget, keeping: results)
    }
    #expect(result == expected, comment)
    return result == expected
  }

  /// `make stress-incremental` makes 100,000 steps.
  @Test(arguments: seeds(20)) func randomChanges(seed: Int) throws {
    let (rounds, steps) = (5, 10)
    var documents = CollectionGenerator(seed: seed)
    for _ in 0..<rounds {
      let text = documents.expression()
      guard let expression = try? Expression(text) else {
        Issue.record("\(text)")
        continue
      }
      let arguments: JSONObject = ["limit": .integer(documents.number(0...9))]
      let results = PartialResults(
        minimum: Int(documents.number(1...3)), pause: Int(documents.number(0...2)))
      var value = documents.document()
      for step in 0..<steps {
        let budget = documents.isLucky(1, of: 10) ? Int(documents.number(1...4000)) : nil
        guard
          self.check(
            expression, value, arguments, WorkBudget(budget), results,
            "seed \(seed), step \(step): \(text)")
        else { return }
        value = documents.changed(value)
      }
    }
  }
}

/// An evaluation after a change evaluates the changed elements only.
@Suite struct IncrementalCostTests {
  static let expressions = [
    "length(o.*)", "o.* | [?a > `3`]", "length(o.* | [?a > `3`])", "sum(o.*.a)", "avg(o.*.a)",
    "max(o.*.a)", "min_by(o.*, &a).b", "values(o)[*].b", "map(&[a, b], values(o))",
    "reverse(o.*.a)[:3]", "{n: length(o.* | [?b == 'x']), s: sum(o.*.a)}",
    "let $o = o in $o.* | [?a > $limit].b | length(@)", "r[*].a | sum(@)",
    "sort_by(o.*, &a)[-10:]", "sort_by(r, &b) | reverse(@) | [:3].a", "sort(o.*.a)",
    "keys(o) | [:3]", "o.*.d[].a | sum(@)", "r[].d[] | length(@)",
    "r[?a > `3`].{p: a} | [*].p | max(@)", "length(r) > `3` && r[?b == 'x'] | [2:].a",
  ]

  @Test(arguments: Self.expressions) func changedElements(text: String) throws {
    let records = (0..<1500).map { ("k\($0)", Self.record($0)) }
    var value: Value = [
      "o": .object(JSONObject(records)), "r": .array(JSONArray(records.map(\.1))),
    ]
    let expression = try Expression(text)
    let results = PartialResults()
    func evaluate() throws -> Int {
      let before = results.evaluatedElements
      let result = try expression.evaluate(value, arguments: ["limit": 3], keeping: results)
      #expect(try result == expression.evaluate(value, arguments: ["limit": 3]))
      return results.evaluatedElements - before
    }
    func change(_ index: Int, _ change: (inout JSONObject, inout JSONArray) -> Void) {
      guard case .object(var objects)? = value["o"], case .array(var elements)? = value["r"] else {
        return
      }
      change(&objects, &elements)
      value = ["o": .object(objects), "r": .array(elements)]
    }
    #expect(try evaluate() >= 1499 || text == "length(r)")
    for index in stride(from: 100, to: 1500, by: 97) {
      change(index) {
        $0["k\(index)"] = Self.record(index + 1)
        $1[index] = Self.record(index + 1)
      }
      #expect(try evaluate() <= 12)
    }
    for index in stride(from: 100, to: 1500, by: 397) {
      change(index) {
        $0["k\(index)x"] = Self.record(index)
        $1.insert(Self.record(index), at: index)
      }
      #expect(try evaluate() <= 12)
      change(index) {
        $0["k\(index + 1)"] = nil
        $1.remove(at: index)
      }
      #expect(try evaluate() <= 12)
    }
    #expect(try evaluate() == 0)
  }

  /// If too much has changed, nothing is kept for a while, and what was kept goes bit by bit.
  @Test func manyChangedElements() throws {
    let expression = try Expression("sum(o.*.a)")
    let results = PartialResults(pause: 3)
    var (elements, bytes): ([Int], [Int]) = ([], [])
    for step in 0..<6 {
      let records = (0..<1500).map { ("k\($0)", Self.record($0 + step)) }
      let value: Value = ["o": .object(JSONObject(records))]
      let before = results.evaluatedElements
      let result = try expression.evaluate(value, keeping: results)
      #expect(try result == expression.evaluate(value))
      elements.append(results.evaluatedElements - before)
      bytes.append(results.bytes)
    }
    #expect(elements == [3000, 0, 0, 0, 0, 3000])
    #expect(bytes[0] == bytes[1] && bytes[0] == bytes[5])
    #expect(bytes[1...4].elementsEqual(bytes[1...4].sorted(by: >)) && bytes[4] < bytes[1])
  }

  static func record(_ index: Int) -> Value {
    [
      "a": .integer(Int64(index * 31 % 17)), "b": .string(index % 3 == 0 ? "x" : "y"),
      "d": .array(JSONArray((0..<index % 4).map { .object(["a": .integer(Int64($0))]) })),
    ]
  }
}

/// Generates documents with collections, changes of them, and expressions over them.
private struct CollectionGenerator {
  var generator: Generator

  init(seed: Int) {
    self.generator = Generator(seed: seed)
  }

  mutating func isLucky(_ one: Int, of many: Int) -> Bool {
    self.generator.isLucky(one, of: many)
  }

  mutating func number(_ range: ClosedRange<Int64>) -> Int64 {
    Int64.random(in: range, using: &self.generator.random)
  }

  mutating func choose(_ choices: [String]) -> String {
    self.generator.choose(choices, else: "")
  }

  mutating func scalar() -> Value {
    switch self.number(0...19) {
    case 0: .real(Double(self.number(-9...9)) / 8)
    case 1: .real([1e300, -1e300, 1e-300, 5e-324, 0.1, 0.2, -0.0, 1e17][Int(self.number(0...7))])
    case 2 where self.isLucky(1, of: 20): .null
    case 3 where self.isLucky(1, of: 20): .string(self.choose(["a", "b", "long text of a key"]))
    case 4 where self.isLucky(1, of: 10): .integer([.max, .min][Int(self.number(0...1))])
    default: .integer(self.number(-3...12))
    }
  }

  mutating func record() -> Value {
    if self.isLucky(1, of: 60) { return self.isLucky(1, of: 2) ? .null : self.scalar() }
    var members: JSONObject = [
      "a": self.scalar(), "b": .string(self.choose(["x", "y", "z", "a longer text than others"])),
      "c": .bool(self.isLucky(1, of: 2)),
    ]
    if self.isLucky(1, of: 4) { members["a"] = nil }
    if self.isLucky(1, of: 3) {
      members["d"] = .array(
        JSONArray((0..<self.number(0...3)).map { _ in .object(["a": self.scalar()]) }))
    }
    return .object(members)
  }

  mutating func size() -> Int64 {
    switch self.number(0...59) {
    case 0: self.number(2000...6000)
    case 1...10: self.number(300...700)
    default: self.number(0...60)
    }
  }

  mutating func document() -> Value {
    let objects = JSONObject((0..<self.size()).map { ("k\($0 * 7919 % 1009)", self.record()) })
    let arrays = JSONArray((0..<self.size()).map { _ in self.record() })
    let numbers = JSONArray((0..<self.size()).map { _ in self.scalar() })
    let value: Value = ["o": .object(objects), "r": .array(arrays), "n": .array(numbers)]
    // Parsed numbers are packed.
    return self.isLucky(1, of: 2) ? value : (try? Value(json: value.json)) ?? value
  }

  mutating func changed(_ value: Value) -> Value {
    guard case .object(var members) = value else { return value }
    if self.isLucky(1, of: 40) { return self.document() }
    for _ in 0..<self.run() {
      switch self.number(0...2) {
      case 0: members["o"] = self.changedObject(members["o"])
      case 1: members["r"] = self.changedArray(members["r"]) { $0.record() }
      default: members["n"] = self.changedArray(members["n"]) { $0.scalar() }
      }
    }
    if self.isLucky(1, of: 60) { members["o"] = .integer(1) }
    return .object(members)
  }

  /// A number of changes, up to 10,000.
  private mutating func run() -> Int64 {
    switch self.number(0...79) {
    case 0: self.number(80...[500, 2000, 10_000][Int(self.number(0...2))])
    case 1...10: self.number(0...80)
    default: self.number(0...3)
    }
  }

  private mutating func changedObject(_ value: Value?) -> Value {
    guard case .object(var members) = value else { return self.document()["o"] ?? .null }
    let key = "k\(self.number(0...1009))"
    let old = members.members(from: key).first { _ in true }
    switch self.number(0...3) {
    case 0: members[key] = self.record()
    case 1: members[old?.key ?? key] = nil
    default:
      guard case (let key, .object(var record))? = old else { return .object(members) }
      record[self.choose(["a", "b", "c"])] = self.scalar()
      members[key] = .object(record)
    }
    return .object(members)
  }

  private mutating func changedArray(
    _ value: Value?, _ element: (inout Self) -> Value
  ) -> Value {
    guard case .array(var elements) = value else { return .array([]) }
    let index = Int(self.number(0...Int64(elements.count)))
    switch self.number(0...5) {
    case 0: elements.insert(element(&self), at: index)
    case 1 where index < elements.count: elements.remove(at: index)
    case 2 where index < elements.count:
      let moved = elements.remove(at: index)
      elements.insert(moved, at: Int(self.number(0...Int64(elements.count))))
    case 3 where index < elements.count: elements = elements.slice(index..<elements.count)
    case _ where index < elements.count: elements[index] = element(&self)
    default: elements.append(element(&self))
    }
    return .array(elements)
  }

  // MARK: Expressions

  mutating func expression() -> String {
    switch self.number(0...7) {
    case 0: "{x: \(self.pipeline()), y: \(self.pipeline())}"
    case 1: "[\(self.pipeline()), \(self.pipeline())]"
    case 2: "let $m = max(n) in \(self.pipeline()) | [?a == $m]"
    case 3: "\(self.pipeline()) || \(self.pipeline())"
    case 4: self.generator.expression()
    default: self.pipeline()
    }
  }

  private mutating func pipeline() -> String {
    var text = self.choose([
      "o.*", "r[*]", "r", "values(o)", "o.*", "r[*].a", "o.*.a", "n", "n[*]", "o", "*", "@",
      "keys(o)", "[o.*, r[*]][]", "o.*.d", "r[*].d[]",
    ])
    for _ in 0..<self.number(1...3) {
      text = self.step(text)
    }
    return text
  }

  private mutating func step(_ text: String) -> String {
    switch self.number(0...9) {
    case 0, 1: "\(text) | [?\(self.condition())]\(self.choose(["", ".a", ".{p: a, q: b}"]))"
    case 2: "\(text) | [*]\(self.choose(["", ".a", ".b", ".[a, b]", ".d[].a"]))"
    case 3: "map(&\(self.choose(["a", "@", "{p: a}", "length(@)"])), \(text))"
    case 4:
      "\(self.choose(["sort_by", "max_by", "min_by"]))(\(text), &\(self.choose(["a", "b", "@"])))"
    case 5: "\(self.choose(["sum", "avg", "max", "min", "sort", "length"]))(\(text))"
    case 6: "reverse(\(text))"
    case 7: "\(text) | \(self.choose(["[-3:]", "[:5]", "[2]", "[5:]", "[::2]", "[::-1]"]))"
    case 8: "\(text) | []"
    default: "values(\(text))"
    }
  }

  private mutating func condition() -> String {
    self.choose([
      "a > $limit", "a", "b == 'x'", "@ > `3`", "!c", "a == `1` || b == 'y'", "c && a < $limit",
      "d[?a > `2`]", "contains(b, 'x')", "length(@) > `2`", "not_null(a)", "@ != null",
    ])
  }
}
