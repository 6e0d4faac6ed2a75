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

  struct Item: Sendable {
    /// The number of the commit of the action.
    let number: Int

    /// The state before the action.
    var state: State
    let action: Action
    let reducerKind: OptimisticUpdate.ReducerKind

    /// The change that the action began; `nil` if it began none or the change has ended.
    var key: ChangeKey?
  }

  /// The steps by number. Unless there are none, the change of the first one is in flight.
  private var steps: TreeDictionary<Int, Item> = [:]

  /// The numbers of the steps whose change is in flight, oldest first.
  private var numbers: TreeDictionary<ChangeKey, [Int]> = [:]

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

  /// The number of changes in flight.
  var changeCount: Int {
    self.numbers.values.reduce(0) { $0 + $1.count }
  }

  /// Adds an action. If nothing is in flight, keeps only an action that begins a change.
  mutating func append(_ step: Item) {
    guard !self.isEmpty || step.key != nil else { return }
    self.steps[self.end] = step
    if let key = step.key {
      self.numbers[key, default: []].append(self.end)
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
  mutating func confirm(_ key: ChangeKey) -> Bool {
    guard let number = self.numbers[key]?.first else { return false }
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
    self.removeNumber(number, key)
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

  /// The writers of a shared log whose changes are in flight.
  var writers: Set<Int> {
    Set(self.numbers.keys.map(\.writer))
  }

  /// The numbers of the commits that began the changes in flight of some writers, and the key of
  /// the oldest; `nil` if there are none.
  ///
  /// - Parameter writers: `nil` for all.
  func changes(of writers: Set<Int>?) -> (commits: Set<Int>, oldestKey: String)? {
    let found = self.numbers.filter { writers?.contains($0.key.writer) ?? true }
    let steps = found.values.joined()
    guard let oldest = steps.min(), let key = self.steps[oldest]?.key else { return nil }
    return (Set(steps.compactMap { self.steps[$0]?.number }), key.text)
  }

  /// The number of the commit that began the oldest change with a key.
  func oldestChange(_ key: ChangeKey) -> Int? {
    self.numbers[key]?.first.flatMap { self.steps[$0]?.number }
  }

  /// Ends changes and removes their actions. Reduces the later actions again.
  ///
  /// - Parameters:
  ///   - changes: The numbers of the commits that began the changes.
  ///   - replay: Has the states of actions that were reduced again without the changes.
  /// - Returns: The state without the actions; `nil` if none of the changes is in flight.
  /// - Throws: ``ReducerInterruption`` only.
  mutating func remove(
    _ changes: Set<Int>, _ replay: ReducedStates<State>, _ reduce: Reduce
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
    try self.replay(self.removeSteps(from: self.start)[...], from: state, ReducedStates(), reduce)
  }

  /// The state without the changes in flight: as if all of them had failed now.
  ///
  /// - Returns: `nil` if none is in flight.
  /// - Throws: ``ReducerInterruption`` only.
  func confirmedState(_ reduce: Reduce) throws -> State? {
    guard let all = self.changes(of: nil) else { return nil }
    var copy = self
    return try copy.remove(all.commits, ReducedStates(), reduce)
  }

  /// The last step, if it is the only one that these changes have beyond others, which were in
  /// flight before the same action.
  func step(after old: Self) -> Item? {
    self.start == old.start && self.end == old.end + 1 ? self.steps[old.end] : nil
  }

  /// Appends the actions of earlier steps again. Drops an action that the reducer now rejects.
  mutating func replay(
    _ steps: ArraySlice<Item>, from state: State, _ replay: ReducedStates<State>, _ reduce: Reduce
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
  private mutating func removeSteps(from number: Int) -> [Item] {
    var steps: [Item] = []
    for number in number..<self.end {
      guard let step = self.steps.removeValue(forKey: number) else { continue }
      if let key = step.key {
        self.removeNumber(number, key)
      }
      steps.append(step)
    }
    self.end = number
    return steps
  }

  private mutating func removeNumber(_ number: Int, _ key: ChangeKey) {
    let others = self.numbers[key]?.filter { $0 != number } ?? []
    self.numbers[key] = others.isEmpty ? nil : others
  }
}

/// The key of a change, which belongs to one writer of a shared log.
struct ChangeKey: Hashable, Sendable {
  private let bytes: [UInt8]
  /// 0 if the log is not shared.
  let writer: Int

  init(_ key: String, by writer: Int) {
    (self.bytes, self.writer) = (Array(key.utf8), writer)
  }

  var text: String {
    String(decoding: self.bytes, as: UTF8.self)
  }
}

/// The states after actions that are reduced again. The changes in flight of several states may
/// have the same actions, which are then reduced once.
final class ReducedStates<State> {
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
