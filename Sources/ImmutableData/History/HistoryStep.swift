import DequeModule

/// One or more commits that are undone and redone together.
package struct HistoryStep: Sendable {
  /// Has the state before the step.
  package private(set) var first: AnyCommit

  /// The other commits. The last one has the state after the step.
  private var rest: [AnyCommit] = []

  /// Whether it is a batch, which other actions join only in a group that the program has begun.
  package let isBatch: Bool

  /// Why the domain does not let it be undone or redone.
  package private(set) var refusal: String?

  /// About how many bytes are alive only because of the state before it. That of a step that
  /// actions join is corrected when the next step begins.
  package var bytes = 0

  package init(
    _ first: AnyCommit, _ rest: [AnyCommit], isBatch: Bool? = nil, refusal: String?
  ) {
    self.first = first
    self.rest = rest
    self.isBatch = isBatch ?? !rest.isEmpty
    self.refusal = refusal
  }
}

extension HistoryStep {
  /// The number of the first commit.
  package var number: Int {
    self.first.number
  }

  package var last: AnyCommit {
    self.rest.last ?? self.first
  }

  /// The number of its actions.
  package var count: Int {
    self.rest.count + 1
  }

  package var commits: [AnyCommit] {
    [self.first] + self.rest
  }

  /// A replacement for the last commit when another one is added. Of neighbours of one type, such
  /// as the movements of a drag, only the first and the last keep their states; but all do while an
  /// optimistic update is in flight, because its roll-back may remove some.
  ///
  /// - Parameter haveSameType: Whether two actions have the same type.
  func lastWithoutStates(
    before commit: AnyCommit, _ haveSameType: (AnyCommit, AnyCommit) -> Bool
  ) -> AnyCommit? {
    guard let last = self.rest.last, last.context?.hasInFlight != true,
      commit.context?.hasInFlight != true, haveSameType(last, commit)
    else { return nil }
    let previous = self.rest.dropLast().last ?? self.first
    return haveSameType(previous, last) ? last.withoutStates(previous) : nil
  }

  /// Adds the commits of another step.
  ///
  /// - Parameter replacement: Replaces the last commit.
  /// - Returns: The commit that was replaced.
  mutating func append(_ step: HistoryStep, replacingLast replacement: AnyCommit?) -> AnyCommit? {
    var replaced: AnyCommit?
    if let replacement {
      replaced = self.rest.popLast()
      self.rest.append(replacement)
    }
    self.refusal = self.refusal ?? step.refusal
    self.rest.append(step.first)
    self.rest += step.rest
    return replaced
  }

  /// The step without the commits after one with a number; `nil` if none is left.
  func prefix(upTo number: Int) -> HistoryStep? {
    guard self.number <= number else { return nil }
    var step = self
    while let last = step.rest.last, last.number > number { step.rest.removeLast() }
    return step
  }

  /// The step with other commits; `nil` without any.
  func replacing(_ commits: [AnyCommit]) -> HistoryStep? {
    guard let first = commits.first else { return nil }
    var step = self
    step.first = first
    step.rest = Array(commits.dropFirst())
    return step
  }
}

extension Deque<HistoryStep> {
  /// The step at an index; `nil` if there is none.
  func step(at index: Int) -> HistoryStep? {
    self.indices.contains(index) ? self[index] : nil
  }

  /// The index of the step with a number. O(log n).
  func index(of number: Int) -> Int? {
    var range = self.indices
    while let first = range.first {
      let middle = first + range.count / 2
      let found = self[middle].number
      if found == number { return middle }
      range = found < number ? middle + 1..<range.upperBound : first..<middle
    }
    return nil
  }
}
