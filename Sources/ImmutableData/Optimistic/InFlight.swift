import HashTreeCollections

/// The optimistic updates of a state: the actions since the oldest change in flight began, each
/// with the state before it.
///
/// ```
/// … │ began "dog" │ renamed │ began "cat" │ grew │ shown
///   ╰ the oldest in flight: earlier actions are dropped
/// ```
///
/// Copies share structure: appending an action and ending a change are O(log n). Rolling a change
/// back reduces only the actions after it, because the state before each action is stored.
struct InFlight<State: Sendable, Action: Sendable>: Sendable {
  typealias Reduce = @Sendable (State, Action, OptimisticUpdate.ReducerKind) throws -> State

  struct Step: Sendable {
    /// The number of the commit of the action.
    let number: Int

    /// The state before the action.
    var state: State
    let action: Action
    let reducerKind: OptimisticUpdate.ReducerKind

    /// The key of the change that the action began; `nil` if it began none or the change has ended.
    var key: String?
  }

  /// The steps by number. Unless there are none, the change of the first one is in flight.
  private var steps: TreeDictionary<Int, Step> = [:]

  /// The numbers of the steps whose change is in flight, oldest first, by the bytes of their key.
  private var numbers: TreeDictionary<[UInt8], [Int]> = [:]

  /// The steps have the numbers `start..<end`.
  private var start = 0
  private var end = 0
}

extension InFlight {
  /// The maximum number of steps. One more confirms the oldest change in flight.
  static var capacity: Int { 1024 }

  var isEmpty: Bool {
    self.steps.isEmpty
  }

  /// Adds an action. If nothing is in flight, keeps only an action that begins a change.
  mutating func append(_ step: Step) {
    guard !self.isEmpty || step.key != nil else { return }
    self.steps[self.end] = step
    if let key = step.key {
      self.numbers[Array(key.utf8), default: []].append(self.end)
    }
    self.end += 1
    if self.steps.count > Self.capacity, let key = self.steps[self.start]?.key {
      self.confirm(key)
    }
  }

  /// Ends the oldest change with a key; its action stays. Drops the steps before the next change in
  /// flight.
  ///
  /// - Returns: Whether there was such a change.
  @discardableResult
  mutating func confirm(_ key: String) -> Bool {
    guard let number = self.numbers[Array(key.utf8)]?.first else { return false }
    self.confirmStep(number)
    return true
  }

  /// Ends the changes that are not in flight in another state.
  mutating func confirm(allBut other: Self) {
    let others = Set(other.changes.map(\.commit))
    for change in self.changes where !others.contains(change.commit) {
      self.confirmStep(change.step)
    }
  }

  private mutating func confirmStep(_ number: Int) {
    guard let key = self.steps[number]?.key else { return }
    self.removeNumber(number, Array(key.utf8))
    self.steps[number]?.key = nil
    while self.start < self.end, self.steps[self.start]?.key == nil {
      self.steps[self.start] = nil
      self.start += 1
    }
  }

  /// The changes in flight, by the numbers of the steps and of the commits that began them.
  private var changes: [(step: Int, commit: Int)] {
    self.numbers.values.joined().compactMap { step in
      self.steps[step].map { (step, $0.number) }
    }
  }

  /// The numbers of the commits that began the changes in flight, and the key of the oldest; `nil`
  /// if there are none.
  var all: (commits: Set<Int>, oldestKey: String)? {
    self.steps[self.start]?.key.map { (Set(self.changes.map(\.commit)), $0) }
  }

  /// The number of the commit that began the oldest change with a key.
  func oldestChange(_ key: String) -> Int? {
    self.numbers[Array(key.utf8)]?.first.flatMap { self.steps[$0]?.number }
  }

  /// Ends changes and removes their actions. Reduces the later actions again.
  ///
  /// - Parameters:
  ///   - changes: The numbers of the commits that began the changes.
  ///   - replay: Has the states of actions that were reduced again without the changes.
  /// - Returns: The state without the actions; `nil` if none of the changes is in flight.
  /// - Throws: ``ReducerInterruption`` only.
  mutating func remove(
    _ changes: Set<Int>, _ replay: Replay<State>, _ reduce: Reduce
  ) throws -> State? {
    let oldest = self.changes.lazy.filter { changes.contains($0.commit) }.map(\.step).min()
    guard let oldest, let state = self.steps[oldest]?.state else { return nil }
    let others = self.removeSteps(from: oldest).filter {
      $0.key == nil || !changes.contains($0.number)
    }
    return try self.replay(others[...], from: state, replay, reduce)
  }

  /// Reduces all steps again on another state: that before the oldest change in flight, after
  /// actions from elsewhere.
  ///
  /// - Returns: The state after all steps.
  /// - Throws: ``ReducerInterruption`` only.
  mutating func rebase(onto state: State, _ reduce: Reduce) throws -> State {
    try self.replay(self.removeSteps(from: self.start)[...], from: state, Replay(), reduce)
  }

  /// The state without the changes in flight: as if all of them had failed now.
  ///
  /// - Returns: `nil` if none is in flight.
  /// - Throws: ``ReducerInterruption`` only.
  func confirmedState(_ reduce: Reduce) throws -> State? {
    guard let all else { return nil }
    var copy = self
    return try copy.remove(all.commits, Replay(), reduce)
  }

  /// The last step, if it is the only one that these changes have beyond others, which were in
  /// flight before the same action.
  func step(after old: Self) -> Step? {
    self.start == old.start && self.end == old.end + 1 ? self.steps[old.end] : nil
  }

  /// Appends the actions of earlier steps again. Drops an action that the reducer now rejects.
  mutating func replay(
    _ steps: ArraySlice<Step>, from state: State, _ replay: Replay<State>, _ reduce: Reduce
  ) throws -> State {
    var state = state
    for var step in steps {
      let next = try replay.state(after: step.number) {
        try reduce(state, step.action, step.reducerKind)
      }
      guard let next else { continue }
      step.state = state
      self.append(step)
      state = next
    }
    return state
  }

  /// Removes and returns all steps from a number on.
  private mutating func removeSteps(from number: Int) -> [Step] {
    var steps: [Step] = []
    for number in number..<self.end {
      guard let step = self.steps.removeValue(forKey: number) else { continue }
      if let key = step.key {
        self.removeNumber(number, Array(key.utf8))
      }
      steps.append(step)
    }
    self.end = number
    return steps
  }

  private mutating func removeNumber(_ number: Int, _ key: [UInt8]) {
    let others = self.numbers[key]?.filter { $0 != number } ?? []
    self.numbers[key] = others.isEmpty ? nil : others
  }
}

/// The states after actions that are reduced again. The changes in flight of several states may
/// have the same actions, which are then reduced once.
final class Replay<State> {
  private var states: [Int: State] = [:]
  /// The numbers of the commits whose actions the reducer now rejects.
  private(set) var rejected: Set<Int> = []

  /// - Returns: `nil` if the reducer rejects the action.
  /// - Throws: ``ReducerInterruption`` only.
  func state(after number: Int, _ reduce: () throws -> State) throws -> State? {
    if let state = self.states[number] { return state }
    guard !self.rejected.contains(number) else { return nil }
    do {
      let state = try reduce()
      self.states[number] = state
      return state
    } catch let interruption as ReducerInterruption {
      throw interruption
    } catch {
      self.rejected.insert(number)
      return nil
    }
  }
}
