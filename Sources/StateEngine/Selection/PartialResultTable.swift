import ImmutableJSON
import JMESPath
import Threading

/// The partial results that the evaluations of a store's expressions keep.
///
/// An evaluation takes the results out and puts them back, so that no other waits for it: one that
/// finds them taken does without. Results are kept from the second evaluation on, because the first
/// may be the only one. Their memory is bounded, and so is that of the old states whose collections
/// they retain.
final class PartialResultTable: Sendable {
  fileprivate struct Key: Hashable {
    let text: StringKey
    let arguments: Value

    /// Computed once.
    let hashValue: Int

    init(_ text: String, _ arguments: JSONObject) {
      self.text = StringKey(text)
      self.arguments = .object(arguments)
      var hasher = Hasher()
      hasher.combine(self.text)
      hasher.combine(self.arguments)
      self.hashValue = hasher.finalize()
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(self.hashValue)
    }
  }

  fileprivate struct State {
    var turns = BoundedCache<Key, Turn>(capacity: 256)

    /// The results that no evaluation has taken, weighed by their memory.
    var kept: BoundedCache<Key, PartialResults>

    /// The numbers of evaluations with results, and of the elements that they evaluated.
    var evaluations = 0
    var elements = 0
  }

  /// Whether an evaluation may use results. Guarded by the lock of the table.
  fileprivate final class Turn: @unchecked Sendable {
    /// The number of evaluations that do without results.
    var wait = 0

    var isTaken = false
  }

  /// How many evaluations do without results after these took too much memory, or were of no use.
  /// So the time to make them again is a small part of that of the evaluations.
  fileprivate static var pause: Int { 16 }

  private let state: Mutex<State>

  init(byteCapacity: Int = 64 << 20) {
    self.state = Mutex(State(kept: BoundedCache(capacity: 256, weightCapacity: byteCapacity)))
  }
}

extension PartialResultTable {
  /// Evaluates an expression, with partial results if there are any.
  func evaluate(
    _ expression: Expression, _ value: Value, _ arguments: JSONObject, _ budget: WorkBudget
  ) throws(JMESPathError) -> Value {
    guard expression.readsCollections, case let key = Key(expression.text, arguments),
      let (results, turn) = self.take(key)
    else {
      return try expression.evaluate(value, arguments: arguments, budget: budget)
    }
    let elements = results.evaluatedElements
    defer {
      self.putBack(results, turn, key, value, elements: results.evaluatedElements - elements)
    }
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
        "expressions": .integer(Int64(state.kept.count)),
        "bytes": .integer(Int64(state.kept.weight)),
        "evaluations": .integer(Int64(state.evaluations)),
        "elements": .integer(Int64(state.elements)),
      ]
      return [("incremental", .object(counts))]
    }
  }
}

// Results that were dropped are destroyed without holding the lock, because they may be large.
extension PartialResultTable {
  private typealias Dropped = (BoundedCache<Key, PartialResults>.Dropped, [PartialResults])

  private func take(_ key: Key) -> (PartialResults, Turn)? {
    self.state.withLock { state in
      guard let turn = state.turns.find(key) else {
        _ = state.turns.insert(Turn(), for: key)
        return nil
      }
      guard turn.wait == 0, !turn.isTaken else {
        turn.wait -= turn.wait > 0 ? 1 : 0
        return nil
      }
      turn.isTaken = true
      return (state.kept.remove(key) ?? PartialResults(), turn)
    }
  }

  private func putBack(
    _ results: PartialResults, _ turn: Turn, _ key: Key, _ value: Value, elements: Int
  ) {
    let bytes = results.isEmpty ? 0 : results.bytes
    let dropped = self.state.withLock { state in
      state.elements += elements
      turn.isTaken = false
      guard bytes > 0 else {
        turn.wait = Self.pause
        return nil as Dropped?
      }
      state.evaluations += 1
      let dropped = state.kept.insert(results, for: key, weight: bytes)
      for (key, _) in dropped.evicted {
        state.turns.find(key)?.wait = Self.pause
      }
      return (dropped, state.dropOldCollections(value))
    }
    withExtendedLifetime((dropped, results)) {}
  }
}

extension PartialResultTable.State {
  /// Now and then, drops the results that were not used for the longest time, if the collections
  /// that all refer to may take much more memory than a state. Some more are allowed, because
  /// collections of successive states share most of it.
  fileprivate mutating func dropOldCollections(_ state: Value) -> [PartialResults] {
    guard self.evaluations.isMultiple(of: 8) else { return [] }
    let limit = 64 << 20 + 8 * state.estimatedMemory
    var collections: Set<ObjectIdentifier> = []
    var bytes = 0
    return self.kept.removeOldest { results in
      for (identity, size) in results.collections where collections.insert(identity).inserted {
        bytes += size
      }
      return bytes > limit
    }
  }
}
