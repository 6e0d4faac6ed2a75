import ImmutableJSON

/// A regular expression: the regular subset of ECMA-262, over code points.
///
/// Literals, `.`, classes between brackets, `\d`, `\w`, `\s`, `\p{…}` of a general category and
/// their complements, escapes of characters, groups, `|`, `*`, `+`, `?`, `{2,3}`, `^` and `$`. It
/// matches anywhere in a text, unless it has anchors. Back-references, look-around, `\b` and flags
/// are refused, so that a match takes time linear in the text: all states of an automaton advance
/// together.
struct Pattern: Sendable {
  let text: String
  private let program: PatternProgram

  init(_ text: String) throws(PatternError) {
    var parser = PatternParser(text)
    self.program = try PatternProgram(parser.parse())
    self.text = text
  }
}

extension Pattern {
  var stateCount: Int {
    self.program.states.count
  }

  /// Whether a part of a text matches. Charges a unit for each character and each state that it
  /// reaches.
  func matches(_ text: String, _ budget: inout WorkBudget) throws(WorkLimitError) -> Bool {
    var current = StateSet(self.program.states.count)
    var next = current
    var rest = text.unicodeScalars[...]
    var isAtStart = true
    while true {
      let scalar = rest.popFirst()
      let isMatch = self.follow(&current, isAtStart: isAtStart, isAtEnd: scalar == nil)
      try budget.charge(1 + current.members.count)
      if isMatch { return true }
      guard let scalar else { return false }
      next.removeAll()
      for state in current.members {
        if case .character(let characters) = self.program.states[state],
          characters.contains(scalar)
        {
          next.insert(state + 1)
        }
      }
      swap(&current, &next)
      isAtStart = false
    }
  }

  /// Adds all states that are reached without a character, from those in the set and the first.
  ///
  /// - Returns: Whether the pattern has matched.
  private func follow(_ set: inout StateSet, isAtStart: Bool, isAtEnd: Bool) -> Bool {
    set.insert(0)
    var index = 0
    while index < set.members.count {
      let state = set.members[index]
      index += 1
      switch self.program.states[state] {
      case .character: break
      case .start: if isAtStart { set.insert(state + 1) }
      case .end: if isAtEnd { set.insert(state + 1) }
      case .split(let first, let second):
        set.insert(first)
        set.insert(second)
      case .jump(let target): set.insert(target)
      case .match: return true
      }
    }
    return false
  }
}

/// States, each once, in the order in which they were inserted.
private struct StateSet {
  private(set) var members: [Int] = []
  private var positions: [Int]

  init(_ count: Int) {
    self.positions = Array(repeating: 0, count: count)
  }

  mutating func insert(_ state: Int) {
    let position = self.positions[state]
    guard position >= self.members.count || self.members[position] != state else { return }
    self.positions[state] = self.members.count
    self.members.append(state)
  }

  mutating func removeAll() {
    self.members.removeAll(keepingCapacity: true)
  }
}
