import ImmutableJSON
import TestSupport

/// Generates random expressions, and documents with matching keys.
struct Generator {
  var random: SeededGenerator

  private static let names = ["a", "b", "c", "d"]

  init(seed: Int) {
    self.random = SeededGenerator(seed)
  }

  mutating func choose<T>(_ choices: [T], else other: T) -> T {
    choices.randomElement(using: &self.random) ?? other
  }

  mutating func isLucky(_ one: Int, of many: Int) -> Bool {
    Int.random(in: 0..<many, using: &self.random) < one
  }

  mutating func name() -> String {
    self.choose(Self.names, else: "a")
  }

  mutating func value(depth: Int = 0) -> Value {
    switch Int.random(in: 0..<(depth > 3 ? 5 : 10), using: &self.random) {
    case 0: .null
    case 1: .bool(self.isLucky(1, of: 2))
    case 2, 3: .integer(Int64.random(in: -2...2, using: &self.random))
    case 4: .string(self.name())
    case 5, 6: .array(JSONArray(self.several { $0.value(depth: depth + 1) }))
    default: self.object(depth: depth)
    }
  }

  mutating func object(depth: Int = 0) -> Value {
    .object(JSONObject(self.several { ($0.name(), $0.value(depth: depth + 1)) }))
  }

  /// A copy with a value replaced, added or removed, and the keys that lead to it.
  mutating func mutated(_ value: Value) -> (value: Value, keys: [String]) {
    guard case .object(var members) = value, self.isLucky(9, of: 10) else {
      return (self.value(depth: 2), [])
    }
    let key = self.name()
    guard let member = members[key], self.isLucky(3, of: 4) else {
      members[key] = self.isLucky(1, of: 3) ? nil : self.value(depth: 2)
      return (.object(members), [key])
    }
    let mutated = self.mutated(member)
    members[key] = mutated.value
    return (.object(members), [key] + mutated.keys)
  }

  mutating func expression(depth: Int = 0) -> String {
    var text = self.operand(depth)
    while self.isLucky(1, of: 2) {
      text += self.suffix(depth)
    }
    if depth < 3, self.isLucky(1, of: 4) {
      let operators = [" | ", " || ", " && ", " == ", " < "]
      text += self.choose(operators, else: " | ") + self.expression(depth: depth + 1)
    }
    return text
  }

  private mutating func operand(_ depth: Int) -> String {
    let inner = depth + 1
    return switch Int.random(in: 0..<(depth > 2 ? 9 : 16), using: &self.random) {
    case 0, 1, 2, 3, 4: self.name()
    case 5: "@"
    case 6: self.choose(["*", "[*]", "[]", "[0]", "[1:]"], else: "*")
    case 7: self.choose(["$x", "$y", "$a"], else: "$x")
    case 8: self.choose(["`1`", "'a'", "`{\"a\": 1}`"], else: "`1`")
    case 9: "[\(self.expression(depth: inner)), \(self.expression(depth: inner))]"
    case 10: "{a: \(self.expression(depth: inner)), b: \(self.expression(depth: inner))}"
    case 11: "(\(self.expression(depth: inner)))"
    case 12: "!\(self.operand(inner))"
    case 13, 14:
      "let $x = \(self.expression(depth: inner)) in \(self.expression(depth: inner))"
    default: self.call(inner)
    }
  }

  private mutating func suffix(_ depth: Int) -> String {
    switch Int.random(in: 0..<(depth > 2 ? 9 : 13), using: &self.random) {
    case 0, 1, 2, 3, 4: ".\(self.name())"
    case 5: ".*"
    case 6, 7: self.choose(["[*]", "[]", "[0]", "[-1]", "[1:]"], else: "[]")
    case 8: ".get(@, \(self.choose(["$k", "$y", "$x", "'a'"], else: "$k")))"
    case 9: "[?\(self.expression(depth: depth + 1))]"
    case 10: ".[\(self.expression(depth: depth + 1))]"
    case 11: ".{c: \(self.expression(depth: depth + 1))}"
    default: ".\(self.call(depth + 1))"
    }
  }

  private mutating func call(_ depth: Int) -> String {
    let (first, second) = (self.expression(depth: depth), self.expression(depth: depth))
    let names = ["length", "keys", "type", "to_array", "to_string", "values"]
    return switch Int.random(in: 0..<6, using: &self.random) {
    case 0: "not_null(\(first), \(second))"
    case 1: "map(&\(first), \(second))"
    case 2: "sort_by(\(first), &\(second))"
    case 3: "merge(\(first), \(second))"
    default: "\(self.choose(names, else: "type"))(\(first))"
    }
  }

  private mutating func several<T>(_ make: (inout Generator) -> T) -> [T] {
    (0..<Int.random(in: 0...4, using: &self.random)).map { _ in make(&self) }
  }
}
