import ImmutableJSON
import JMESPath
import Threading

/// The partial results that the evaluations of a store's expressions keep.
///
/// An evaluation takes the results out and puts them back, so that no other waits for it: one that
/// finds them taken does without. Results are kept from the second evaluation on, because the first
/// may be the only one. Their memory is bounded: beyond the bound, those that were not used for the
/// longest time are dropped. They retain the collection of their last evaluation, so they are also
/// dropped if they were not used in many evaluations.
final class PartialResultTable: Sendable {
  fileprivate struct Key: Hashable {
    let text: StringKey
    let arguments: Value
  }

  /// What an expression with some arguments keeps. Guarded by the lock of the table.
  fileprivate final class Entry: @unchecked Sendable {
    /// `nil` if there are none, or an evaluation has taken them.
    var results: PartialResults?

    /// The memory of the results, also of those that were taken.
    var bytes = 0

    /// The number of evaluations until results are kept.
    var wait = 1

    var lastUse = 0
    var isTaken = false
  }

  fileprivate struct State {
    var entries: [Key: Entry] = [:]
    var bytes = 0

    /// The number of evaluations, also of those without results.
    var clock = 0

    /// The numbers of evaluations with results, and of the elements that they evaluated.
    var evaluations = 0
    var elements = 0
  }

  /// The maximum number of expressions with their arguments.
  private static var capacity: Int { 256 }

  /// How many evaluations do without results after these were dropped, or were of no use. So the
  /// time to make them again is a small part of that of the evaluations.
  fileprivate static var pause: Int { 16 }

  /// The number of evaluations after which unused results are dropped.
  fileprivate static var age: Int { 4096 }

  private let byteCapacity: Int
  private let state = Mutex(State())

  init(byteCapacity: Int = 64 << 20) {
    self.byteCapacity = byteCapacity
  }
}

extension PartialResultTable {
  /// Evaluates an expression, with partial results if there are any.
  func evaluate(
    _ expression: Expression, _ value: Value, _ arguments: JSONObject, _ budget: WorkBudget
  ) throws(JMESPathError) -> Value {
    guard expression.readsCollections,
      let (entry, results) = self.take(
        Key(text: StringKey(expression.text), arguments: .object(arguments)))
    else {
      return try expression.evaluate(value, arguments: arguments, budget: budget)
    }
    let elements = results.evaluatedElements
    defer { self.putBack(results, in: entry, elements: results.evaluatedElements - elements) }
    return try expression.evaluate(value, arguments: arguments, budget: budget, keeping: results)
  }

  /// What is kept and was evaluated, as the member `incremental`; empty if no results were kept.
  ///
  /// - `expressions`: those, each with some arguments, whose results are kept.
  /// - `bytes`: about how much memory the results take.
  /// - `evaluations`: those that kept their results.
  /// - `elements`: how many elements these evaluated.
  var statistics: [(String, Value)] {
    self.state.withLock { state in
      guard state.evaluations > 0 else { return [] }
      let counts: JSONObject = [
        "expressions": .integer(Int64(state.entries.values.count { $0.bytes > 0 })),
        "bytes": .integer(Int64(state.bytes)), "evaluations": .integer(Int64(state.evaluations)),
        "elements": .integer(Int64(state.elements)),
      ]
      return [("incremental", .object(counts))]
    }
  }
}

// Results that were dropped are destroyed without holding the lock, because they may be large.
extension PartialResultTable {
  private func take(_ key: Key) -> (Entry, PartialResults)? {
    let (taken, dropped) = self.state.withLock { state -> ((Entry, PartialResults)?, [Any]) in
      var dropped = state.age()
      let found = state.entries[key]
      if found == nil, state.entries.count >= Self.capacity {
        dropped.append(state.removeOldest() as Any)
      }
      let entry = found ?? Entry()
      if found == nil { state.entries[key] = entry }
      entry.lastUse = state.clock
      guard entry.wait == 0, !entry.isTaken else {
        entry.wait -= entry.wait > 0 ? 1 : 0
        return (nil, dropped)
      }
      let results = entry.results ?? PartialResults()
      entry.results = nil
      entry.isTaken = true
      return ((entry, results), dropped)
    }
    withExtendedLifetime(dropped) {}
    return taken
  }

  private func putBack(_ results: PartialResults, in entry: Entry, elements: Int) {
    let bytes = results.isUseful ? results.bytes : 0
    let dropped = self.state.withLock { state -> [Any] in
      state.elements += elements
      // The entry was dropped meanwhile.
      guard entry.isTaken else { return [] }
      entry.isTaken = false
      state.bytes += bytes - entry.bytes
      entry.bytes = bytes
      guard bytes > 0 else {
        entry.wait = Self.pause
        return []
      }
      state.evaluations += 1
      entry.results = results
      var dropped: [Any] = []
      while state.bytes > self.byteCapacity, let (_, oldest) = state.oldest(where: { $0.bytes > 0 })
      {
        dropped.append(state.drop(oldest) as Any)
      }
      return dropped
    }
    withExtendedLifetime((dropped, results)) {}
  }
}

extension PartialResultTable.State {
  fileprivate func oldest(
    where condition: (PartialResultTable.Entry) -> Bool
  ) -> (key: PartialResultTable.Key, value: PartialResultTable.Entry)? {
    var oldest: (key: PartialResultTable.Key, value: PartialResultTable.Entry)?
    for (key, entry) in self.entries where condition(entry) {
      if oldest.map({ entry.lastUse < $0.value.lastUse }) ?? true { oldest = (key, entry) }
    }
    return oldest
  }

  fileprivate mutating func removeOldest() -> (PartialResultTable.Key, PartialResults?)? {
    guard let (key, entry) = self.oldest(where: { _ in true }) else { return nil }
    self.entries[key] = nil
    return (key, self.drop(entry))
  }

  /// Drops the results of an entry, also if an evaluation has taken them.
  fileprivate mutating func drop(_ entry: PartialResultTable.Entry) -> PartialResults? {
    let results = entry.results
    self.bytes -= entry.bytes
    (entry.results, entry.bytes, entry.isTaken) = (nil, 0, false)
    entry.wait = PartialResultTable.pause
    return results
  }

  /// Counts an evaluation. Now and then, drops results that were not used for long.
  fileprivate mutating func age() -> [Any] {
    self.clock += 1
    guard self.clock % 256 == 0 else { return [] }
    var dropped: [Any] = []
    for entry in self.entries.values
    where entry.bytes > 0 && entry.lastUse < self.clock - PartialResultTable.age {
      dropped.append(self.drop(entry) as Any)
    }
    return dropped
  }
}
