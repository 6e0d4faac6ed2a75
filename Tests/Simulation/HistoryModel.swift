import ImmutableJSON
import StateEngine
import TestSupport

/// A store with history, by copies.
package struct HistoryModel {
  package struct Record {
    let number: Int
    let action: Value
  }

  /// A state, and all actions that led to it.
  package struct Line {
    /// The state that the actions began with.
    var start = initialState
    var records: [Record] = []
    var state = initialState

    init(start: Value = initialState) {
      (self.start, self.state) = (start, start)
    }
  }

  package static var initialState: Value { ["z": 0] }

  package struct Change {
    let key: String
    let number: Int
    let writer: Int
  }

  /// What a writer of a shared log has marked.
  struct Marks {
    var clean: Int?
    var savepoints: [(line: Line, number: Int)]
  }

  package struct Recorded {
    let number: Int
    let action: Value
    var before: Line
    var after: Line
    var hasChanged: Bool
  }

  package struct Step {
    var commits: [Recorded]
    let isBatch: Bool

    var number: Int { self.commits[0].number }
    var position: Int { self.commits[self.commits.count - 1].number }
  }

  package var limit = 100
  package var joinsByMeta = false
  /// Undo and redo change only the member `a`.
  package var hasPath = false

  package var line = Line()
  /// In flight, oldest first.
  package var changes: [Change] = []
  package var number = 0
  /// How many actions and jumps the stream has got.
  package var streamed = 0
  package var steps: [Step] = []
  package var present = 0
  var base = 0
  var basePosition = 0
  var clean: Int? = 0
  /// What it was when each open group began, outermost first.
  var savepoints: [(line: Line, number: Int)] = []
  /// The writer of a shared log whose marks these are, and the marks of the others.
  var writer = 0
  var others: [Int: Marks] = [:]
  /// Whose actions may join the last step.
  var openWriter = 0
  /// Whether actions may join the last step. What it has dropped may then come back.
  var isExtensible = false
  var dropped: [Step] = []

  package init() {}

  /// The option `history` of the store.
  package var option: Value {
    var option: JSONObject = ["limit": .integer(Int64(self.limit)), "ignore": ["view/*"]]
    if self.joinsByMeta { option["group"] = ["meta": "drag"] }
    if self.hasPath { option["paths"] = ["/a"] }
    return .object(option)
  }

  /// The value of a "set" is a string, so that two objects with equal scalars are told apart by the
  /// reducer alone.
  package static func reduce(_ state: Value, _ action: Value) throws -> Value {
    guard case .object(var members) = state, let key = action["payload"]?["key"]?.text else {
      return state
    }
    switch action["type"]?.text {
    case "set", "view/set":
      let value = action["payload"]?["value"]
      guard members[key] != value else { return state }
      members[key] = value
    case "remove":
      guard members[key] != nil else {
        throw EngineError(.reducerFailed, "there is no \(key)")
      }
      members[key] = nil
    default: return state
    }
    return .object(members)
  }

  /// The actions that the reducer does not reject, with the state after them.
  static func fold(_ records: [Record], from start: Value) -> Line {
    var line = Line(start: start)
    for record in records {
      guard let next = try? self.reduce(line.state, record.action) else { continue }
      line.state = next
      line.records.append(record)
    }
    return line
  }

  package var state: Value {
    self.line.state
  }
}

// MARK: Operations

extension HistoryModel {
  package enum Operation {
    case dispatch(Value)
    case batch([Value])
    case undo(Int), redo(Int), travel(Int)
    case beginGroup, endGroup, cancelGroup, markClean
  }

  /// What an operation returns: the number of steps, or whether it fails.
  package enum Result: Equatable {
    case steps(Int)
    case failure
  }
}

extension HistoryModel.Operation {
  package static func random(_ model: inout HistoryModel, _ random: inout SeededGenerator)
    -> Self
  {
    switch Int.random(in: 0..<21, using: &random) {
    case 0..<9: return .dispatch(self.action(&model, &random))
    case 9..<11:
      return .batch(
        (0..<Int.random(in: 0...4, using: &random)).map { _ in
          self.action(&model, &random)
        })
    case 11..<14: return .undo(Int.random(in: 0...2, using: &random))
    case 14..<16: return .redo(Int.random(in: 0...2, using: &random))
    case 16:
      let numbers = model.steps.map(\.number) + [model.base, model.number + 1]
      return .travel(numbers.randomElement(using: &random) ?? 0)
    case 17: return .beginGroup
    case 18: return .endGroup
    case 19: return .cancelGroup
    default: return .markClean
    }
  }

  private static func action(
    _ model: inout HistoryModel, _ random: inout SeededGenerator
  ) -> Value {
    let key = ["a", "b", "c"].randomElement(using: &random) ?? "a"
    let value = Int64.random(in: 0..<4, using: &random)
    var meta: [(String, Value)] = []
    if random.isOne(in: 3) {
      meta.append(("drag", .integer(Int64.random(in: 0...1, using: &random))))
    }
    let kind = ["begin", "succeed", "fail"].randomElement(using: &random) ?? "begin"
    if random.isOne(in: 3) {
      let name = ["x", "y"].randomElement(using: &random) ?? "x"
      meta.append(("optimistic", .object(JSONObject([(kind, .string(name))]))))
    }
    let type = ["set", "set", "set", "view/set", "remove", "noop"].randomElement(using: &random)
    return .object(
      JSONObject(
        [
          ("type", .string(type ?? "set")),
          ("payload", ["key": .string(key), "value": .integer(value)]),
          ("meta", .object(JSONObject(meta))),
        ] as [(String, Value)]))
  }

  package func perform(on store: AnyStore) throws -> HistoryModel.Result {
    do {
      switch self {
      case .dispatch(let action): try store.dispatch(action)
      case .batch(let actions): try store.dispatch(batch: .array(JSONArray(actions)))
      case .undo(let count): return .steps(try store.undo(count))
      case .redo(let count): return .steps(try store.redo(count))
      case .travel(let number): try store.travel(to: number)
      case .beginGroup: try store.beginGroup()
      case .endGroup: try store.endGroup()
      case .cancelGroup: try store.cancelGroup()
      case .markClean: try store.markClean()
      }
      return .steps(0)
    } catch {
      return .failure
    }
  }
}

extension HistoryModel {
  package mutating func perform(_ operation: Operation) -> Result {
    let old = self
    switch operation {
    case .dispatch(let action): return self.dispatch([action], isBatch: false)
    case .batch(let actions): return self.dispatch(actions, isBatch: true)
    case .undo(let count):
      self.dropLastIfUnchanged()
      let count = min(count, self.present)
      guard count > 0 else {
        self = old
        return .steps(0)
      }
      guard self.canJump else { return self.fail(old) }
      self.jump(to: self.steps[self.present - count].commits[0].before, self.present - count)
      return .steps(count)
    case .redo(let count):
      self.dropLastIfUnchanged()
      let count = min(count, self.steps.count - self.present)
      guard count > 0 else {
        self = old
        return .steps(0)
      }
      guard self.canJump else { return self.fail(old) }
      self.jump(
        to: self.steps[self.present + count - 1].commits.last?.after ?? Line(), self.present + count
      )
      return .steps(count)
    case .travel(let number):
      self.dropLastIfUnchanged()
      guard number == self.base || self.steps.contains(where: { $0.number == number }),
        self.canJump
      else { return self.fail(old) }
      if number == self.base {
        self.jump(to: self.steps.first?.commits[0].before ?? self.line, 0)
      } else if let index = self.steps.firstIndex(where: { $0.number == number }) {
        self.jump(to: self.steps[index].commits.last?.after ?? Line(), index + 1)
      }
    case .beginGroup:
      if self.savepoints.isEmpty { self.settleOwn() }
      self.savepoints.append((self.line, self.number))
    case .endGroup:
      if self.savepoints.count == 1 { self.settleOwn() }
      _ = self.savepoints.popLast()
    case .cancelGroup:
      guard let savepoint = self.savepoints.last else { return .steps(0) }
      guard savepoint.number < self.number else { return self.perform(.endGroup) }
      guard self.canJump else { return .failure }
      self.cancel(to: savepoint)
    case .markClean: self.clean = self.position
    }
    return .steps(0)
  }

  /// Opens the log of the store again: what is in flight is rolled back, and groups end.
  package mutating func reopen() {
    if !self.changes.isEmpty {
      var commits: [Recorded] = []
      let changes = self.changes
      self.changes = []
      self.rollBack(changes, &commits)
      self.number += 1
    }
    if self.groups > 0 { self.settle() }
    self.savepoints = []
  }

  package var groups: Int {
    self.savepoints.count
  }

  /// With paths, there must be nothing in flight.
  private var canJump: Bool {
    !self.hasPath || self.changes.isEmpty
  }

  private mutating func settleOwn() {
    if self.openWriter == self.writer { self.settle() }
  }

  private mutating func fail(_ old: Self) -> Result {
    self = old
    return .failure
  }

  /// Ends the last step.
  private mutating func settle() {
    self.dropLastIfUnchanged()
    (self.isExtensible, self.dropped) = (false, [])
  }

  /// Several actions that together change nothing are no step, unless one may be rolled back.
  mutating func dropLastIfUnchanged() {
    guard self.isExtensible, self.present > 0,
      self.isUnchanged(self.steps[self.present - 1].commits)
    else { return }
    self.dropLast()
  }

  private func isUnchanged(_ commits: [Recorded]) -> Bool {
    guard commits.count > 1, self.changes.isEmpty, let last = commits.last else { return false }
    return !self.differ(commits[0].before.state, last.after.state)
  }

  private func differ(_ old: Value, _ new: Value) -> Bool {
    self.hasPath ? old["a"] != new["a"] : old != new
  }

  private mutating func dropLast() {
    self.steps.removeLast()
    self.present -= 1
    self.steps += self.dropped
    (self.isExtensible, self.dropped) = (false, [])
  }

  /// Goes back to what it was when a group began.
  private mutating func cancel(to savepoint: (line: Line, number: Int)) {
    if self.isExtensible, self.present > 0 {
      self.steps[self.present - 1].commits.removeAll { $0.number > savepoint.number }
      if self.steps[self.present - 1].commits.isEmpty { self.dropLast() }
    }
    let old = self
    self.jump(to: savepoint.line, self.present)
    self.savepoints = old.savepoints.dropLast()
    (self.isExtensible, self.dropped) = (old.isExtensible, old.dropped)
  }

  var position: Int {
    self.present > 0 ? self.steps[self.present - 1].position : self.basePosition
  }

  private mutating func jump(to line: Line, _ present: Int) {
    var line = line
    if self.hasPath, case .object(var members) = self.state {
      members["a"] = line.state["a"]
      line = Line(start: .object(members))
    }
    self.line = line
    let numbers = Set(line.records.map(\.number))
    self.changes.removeAll { !numbers.contains($0.number) }
    self.present = present
    (self.savepoints, self.isExtensible, self.dropped) = ([], false, [])
    self.number += 1
    self.streamed += 1
  }

  private mutating func dispatch(_ actions: [Value], isBatch: Bool) -> Result {
    guard !actions.isEmpty else { return .steps(0) }
    var next = self
    var commits: [Recorded] = []
    for action in actions {
      next.number += 1
      next.streamed += 1
      let optimistic = action["meta"]?["optimistic"]
      var ended = false
      for kind in ["succeed", "fail"] {
        guard let key = optimistic?[kind]?.text,
          let index = next.changes.firstIndex(where: {
            $0.key == key && $0.writer == self.writer
          })
        else { continue }
        let change = next.changes.remove(at: index)
        ended = true
        if kind == "fail" { next.rollBack([change], &commits) }
      }
      let before = next.line
      let state = next.state
      guard let result = try? Self.reduce(state, action) else {
        guard ended, !isBatch else { return .failure }
        self = next
        return .failure
      }
      next.line.records.append(Record(number: next.number, action: action))
      next.line.state = result
      if let key = optimistic?["begin"]?.text {
        next.changes.append(Change(key: key, number: next.number, writer: self.writer))
      }
      commits.append(
        Recorded(
          number: next.number, action: action, before: before, after: next.line,
          hasChanged: self.differ(state, result)))
    }
    // One action of a batch that is left is none.
    next.record(commits, isBatch: commits.count > 1)
    self = next
    return .steps(0)
  }

  /// Removes changes, oldest first, from all lines.
  mutating func rollBack(_ changes: [Change], _ commits: inout [Recorded]) {
    let numbers = Set(changes.map(\.number))
    let start = changes.first?.number ?? 0
    var removed = numbers
    func rewrite(_ line: Line) -> Line {
      guard line.records.contains(where: { numbers.contains($0.number) }) else { return line }
      let records = line.records.filter { !numbers.contains($0.number) }
      let rewritten = Self.fold(records, from: line.start)
      removed.formUnion(
        Set(records.map(\.number)).subtracting(rewritten.records.map(\.number)))
      return rewritten
    }
    func rewrite(_ commits: [Recorded]) -> [Recorded] {
      commits.map { commit in
        var commit = commit
        (commit.before, commit.after) = (rewrite(commit.before), rewrite(commit.after))
        if commit.number > start {
          commit.hasChanged = self.differ(commit.before.state, commit.after.state)
        }
        return commit
      }.filter { !removed.contains($0.number) }
    }
    self.line = rewrite(self.line)
    self.changes.removeAll { removed.contains($0.number) }
    commits = rewrite(commits)
    var steps: [Step] = []
    var present = self.present
    var isDropped = true
    for (index, step) in self.steps.enumerated() {
      let left = rewrite(step.commits)
      if left.isEmpty {
        if index < self.present { present -= 1 }
        if index == self.present - 1, self.isExtensible {
          // What it has dropped is back.
          isDropped = false
          self.isExtensible = false
        }
      } else {
        steps.append(Step(commits: left, isBatch: step.isBatch))
      }
    }
    (self.steps, self.present) = (steps, present)
    self.dropped = self.dropped.compactMap {
      let left = rewrite($0.commits)
      return left.isEmpty ? nil : Step(commits: left, isBatch: $0.isBatch)
    }
    if !isDropped {
      self.steps += self.dropped
      self.dropped = []
    }
    self.savepoints = self.savepoints.map { (rewrite($0.line), $0.number) }
    if let clean, clean >= start { self.clean = nil }
    for (writer, marks) in self.others {
      guard let clean = marks.clean, clean >= start else { continue }
      self.others[writer]?.clean = nil
    }
  }

  private mutating func record(_ commits: [Recorded], isBatch: Bool) {
    guard commits.contains(where: { $0.action["type"] != "view/set" && $0.hasChanged }) else {
      return
    }
    guard !self.isUnchanged(commits) else { return }
    let step = Step(commits: commits, isBatch: isBatch)
    if self.joins(step) {
      self.steps[self.present - 1].commits += commits
      if self.groups == 0 { self.dropLastIfUnchanged() }
      return
    }
    self.openWriter = self.writer
    self.isExtensible = self.groups > 0 || self.joinsByMeta && !isBatch
    self.dropped = self.isExtensible ? Array(self.steps[self.present...]) : []
    self.steps.removeSubrange(self.present...)
    self.steps.append(step)
    self.present += 1
    while self.present > self.limit {
      let oldest = self.steps.removeFirst()
      self.present -= 1
      (self.base, self.basePosition) = (oldest.number, oldest.position)
    }
  }

  private func joins(_ step: Step) -> Bool {
    guard self.isExtensible, self.present > 0, self.openWriter == self.writer else { return false }
    if self.groups > 0 { return true }
    let last = self.steps[self.present - 1]
    guard self.joinsByMeta, !step.isBatch, !last.isBatch, self.position != self.clean,
      let drag = step.commits[0].action["meta"]?["drag"]
    else { return false }
    return last.commits.last?.action["meta"]?["drag"] == drag
  }
}

// MARK: Descriptions

extension HistoryModel {
  package var history: Value {
    let entries = self.steps.enumerated().map { index, step -> Value in
      [
        "number": .integer(Int64(step.number)),
        "type": step.commits[0].action["type"] ?? .null,
        "actions": .array(JSONArray(step.commits.map(\.action))),
        "undone": .bool(index >= self.present),
      ]
    }
    return [
      "present": .integer(
        Int64(self.present > 0 ? self.steps[self.present - 1].number : self.base)),
      "undo": .integer(Int64(self.present)),
      "redo": .integer(Int64(self.steps.count - self.present)),
      "entries": .array(JSONArray(entries)),
    ]
  }

  package var status: Value {
    func first(_ index: Int) -> Value? {
      self.steps.indices.contains(index) ? self.steps[index].commits[0].action : nil
    }
    let (undo, redo) = (first(self.present - 1), first(self.present))
    return [
      "undo": .integer(Int64(self.present)),
      "redo": .integer(Int64(self.steps.count - self.present)),
      "undoType": undo?["type"] ?? .null, "undoMeta": undo?["meta"] ?? .null,
      "redoType": redo?["type"] ?? .null, "redoMeta": redo?["meta"] ?? .null,
      "clean": .bool(self.position == self.clean),
    ]
  }
}

extension Value {
  /// A history without the times of its entries.
  package var withoutEntryTimes: Value {
    var history = self
    guard case .array(let entries)? = self["entries"] else { return self }
    let timeless = entries.map { entry in
      guard case .object(var members) = entry else { return entry }
      members["time"] = nil
      return .object(members)
    }
    if case .object(var members) = history {
      members["entries"] = .array(JSONArray(timeless))
      history = .object(members)
    }
    return history
  }
}
