import ImmutableJSON
import JMESPath
import Threading

/// The partial results that the evaluations of a store's expressions keep.
///
/// An evaluation takes the results out and puts them back, so that no other waits for it: one that
/// finds them taken does without. Results are kept from the second evaluation on, because the first
/// may be the only one. Their memory is bounded: beyond the bound, those that were not used for the
/// longest time are dropped.
final class PartialResultTable: Sendable {
  fileprivate struct Key: Hashable {
    let text: StringKey
    let arguments: Value
  }

  fileprivate struct Entry {
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
    var clock = 0
    var evaluations = 0
    var elements = 0
  }

  /// The maximum number of expressions with their arguments.
  private static var capacity: Int { 256 }

  /// How many evaluations do without results after these were dropped, or were of no use. So the
  /// time to make them again is a small part of that of the evaluations.
  private static var pause: Int { 16 }

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
    guard expression.readsCollections else {
      return try expression.evaluate(value, arguments: arguments, budget: budget)
    }
    let key = Key(text: StringKey(expression.text), arguments: .object(arguments))
    guard let results = self.take(key) else {
      return try expression.evaluate(value, arguments: arguments, budget: budget)
    }
    let elements = results.evaluatedElements
    defer { self.putBack(results, key, elements: results.evaluatedElements - elements) }
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

extension PartialResultTable {
  private func take(_ key: Key) -> PartialResults? {
    let (results, dropped) = self.state.withLock { state -> (PartialResults?, PartialResults?) in
      state.clock += 1
      var dropped: PartialResults?
      if state.entries[key] == nil, state.entries.count >= Self.capacity {
        dropped = state.removeOldest()
      }
      var entry = state.entries[key] ?? Entry()
      entry.lastUse = state.clock
      defer { state.entries[key] = entry }
      guard entry.wait == 0 else {
        entry.wait -= 1
        return (nil, dropped)
      }
      guard !entry.isTaken else { return (nil, dropped) }
      entry.isTaken = true
      let results = entry.results ?? PartialResults()
      entry.results = nil
      return (results, dropped)
    }
    // Destroyed without holding the lock, because they may be large.
    withExtendedLifetime(dropped) {}
    return results
  }

  private func putBack(_ results: PartialResults, _ key: Key, elements: Int) {
    let bytes = results.isUseful ? results.bytes : 0
    let dropped = self.state.withLock { state -> [PartialResults?] in
      state.evaluations += bytes > 0 ? 1 : 0
      state.elements += elements
      guard var entry = state.entries[key], entry.isTaken else { return [results] }
      var dropped: [PartialResults?] = []
      entry.isTaken = false
      state.bytes += bytes - entry.bytes
      entry.bytes = bytes
      if bytes > 0 {
        entry.results = results
      } else {
        entry.wait = Self.pause
        dropped.append(results)
      }
      state.entries[key] = entry
      while state.bytes > self.byteCapacity, let key = state.oldest(where: { $0.bytes > 0 }) {
        let old = state.entries.updateValue(Entry(wait: Self.pause), forKey: key)
        state.bytes -= old?.bytes ?? 0
        dropped.append(old?.results)
      }
      return dropped
    }
    withExtendedLifetime(dropped) {}
  }
}

extension PartialResultTable.State {
  fileprivate func oldest(
    where condition: (PartialResultTable.Entry) -> Bool
  ) -> PartialResultTable.Key? {
    var oldest: (key: PartialResultTable.Key, lastUse: Int)?
    for (key, entry) in self.entries where condition(entry) {
      if oldest.map({ entry.lastUse < $0.lastUse }) ?? true { oldest = (key, entry.lastUse) }
    }
    return oldest?.key
  }

  fileprivate mutating func removeOldest() -> PartialResults? {
    guard let key = self.oldest(where: { _ in true }) else { return nil }
    let old = self.entries.removeValue(forKey: key)
    self.bytes -= old?.bytes ?? 0
    return old?.results
  }
}
