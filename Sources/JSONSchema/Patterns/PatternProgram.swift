/// The states of the automaton of a pattern (Thompson's construction).
struct PatternProgram: Sendable {
  enum State {
    /// Takes one character.
    case character(CharacterClass)
    /// Passes at the beginning, or at the end, of the text.
    case start
    case end
    /// Continues at both states.
    case split(Int, Int)
    case jump(Int)
    case match
  }

  private(set) var states: [State] = []

  /// The maximum number of states.
  static var maxStates: Int { 4096 }

  /// The maximum count of a quantifier.
  static var maxCount: Int { 4096 }

  init(_ node: PatternNode) throws(PatternError) {
    try self.add(node)
    try self.append(.match)
  }
}

extension PatternProgram {
  private mutating func append(_ state: State) throws(PatternError) {
    guard self.states.count < Self.maxStates else {
      throw PatternError("the pattern takes more than \(Self.maxStates) states")
    }
    self.states.append(state)
  }

  /// Adds the states of a part. The recursion is as deep as its groups nest.
  private mutating func add(_ node: PatternNode) throws(PatternError) {
    switch node {
    case .character(let characters): try self.append(.character(characters))
    case .start: try self.append(.start)
    case .end: try self.append(.end)
    case .sequence(let nodes):
      for node in nodes { try self.add(node) }
    case .choice(let branches): try self.add(branches)
    case .repeated(let node, let min, let max): try self.add(node, min, max)
    }
  }

  private mutating func add(_ branches: [PatternNode]) throws(PatternError) {
    var ends: [Int] = []
    for branch in branches.dropLast() {
      let split = self.states.count
      try self.append(.split(split + 1, 0))
      try self.add(branch)
      ends.append(self.states.count)
      try self.append(.jump(0))
      self.states[split] = .split(split + 1, self.states.count)
    }
    if let last = branches.last { try self.add(last) }
    for end in ends { self.states[end] = .jump(self.states.count) }
  }

  private mutating func add(
    _ node: PatternNode, _ min: Int, _ max: Int?
  ) throws(PatternError) {
    for _ in 0..<min {
      let before = self.states.count
      try self.add(node)
      // What has no states has none however often it is repeated.
      if self.states.count == before { return }
    }
    guard let max else {
      let split = self.states.count
      try self.append(.split(split + 1, 0))
      try self.add(node)
      try self.append(.jump(split))
      self.states[split] = .split(split + 1, self.states.count)
      return
    }
    var splits: [Int] = []
    for _ in min..<max {
      let split = self.states.count
      try self.append(.split(split + 1, 0))
      splits.append(split)
      try self.add(node)
    }
    for split in splits { self.states[split] = .split(split + 1, self.states.count) }
  }
}
