import HashTreeCollections

/// The actions since the oldest change in flight began, each with the state before it.
///
/// Logs use structural sharing: appending an action and ending a change are O(log n). Rolling a
/// change back reduces only the actions after it, because the state before each action is stored.
struct ActionLog<State: Sendable, Action: Sendable>: Sendable {
  typealias Reduce = @Sendable (State, Action, OptimisticUpdate.ReducerKind) throws -> State

  struct Entry: Sendable {
    /// The state before the action.
    var state: State
    let action: Action
    let reducerKind: OptimisticUpdate.ReducerKind

    /// The key of the change that the action began; `nil` if it began none or the change has ended.
    var key: String?
  }

  /// The entries by number. Unless the log is empty, the change of the first one is in flight.
  private var entries: TreeDictionary<Int, Entry> = [:]

  /// The numbers of the entries whose change is in flight, oldest first, by the bytes of their key.
  private var inFlight: TreeDictionary<[UInt8], [Int]> = [:]

  /// The entries have the numbers `start..<end`.
  private var start = 0
  private var end = 0
}

extension ActionLog {
  /// The maximum number of actions in the log. One more confirms the oldest change in flight.
  static var capacity: Int { 1024 }

  var isEmpty: Bool {
    self.entries.isEmpty
  }

  /// Adds an action. An empty log stores only an action that begins a change.
  mutating func append(_ entry: Entry) {
    guard !self.isEmpty || entry.key != nil else { return }
    self.entries[self.end] = entry
    if let key = entry.key {
      self.inFlight[Array(key.utf8), default: []].append(self.end)
    }
    self.end += 1
    if self.entries.count > Self.capacity, let key = self.entries[self.start]?.key {
      self.confirm(key)
    }
  }

  /// Ends the oldest change with a key; its action stays. Drops the entries before the next change
  /// in flight.
  ///
  /// - Returns: Whether there was such a change.
  @discardableResult
  mutating func confirm(_ key: String) -> Bool {
    let key = Array(key.utf8)
    guard let number = self.inFlight[key]?.first else { return false }
    self.removeFromInFlight(number, key)
    self.entries[number]?.key = nil
    while self.start < self.end, self.entries[self.start]?.key == nil {
      self.entries[self.start] = nil
      self.start += 1
    }
    return true
  }

  /// Ends the oldest change with a key and removes its action. Reduces the later actions again.
  ///
  /// - Returns: The state without the action; `nil` if no change with this key is in flight.
  /// - Throws: ``ReducerInterruption`` only.
  mutating func rollBack(_ key: String, _ reduce: Reduce) throws -> State? {
    guard let number = self.inFlight[Array(key.utf8)]?.first,
      var state = self.entries[number]?.state
    else { return nil }
    for var entry in self.removeEntries(from: number).dropFirst() {
      do {
        let next = try reduce(state, entry.action, entry.reducerKind)
        entry.state = state
        self.append(entry)
        state = next
      } catch let interruption as ReducerInterruption {
        throw interruption
      } catch {
        // Drops an action that the reducer now rejects.
      }
    }
    return state
  }

  /// Removes and returns all entries from a number on.
  private mutating func removeEntries(from number: Int) -> [Entry] {
    var entries: [Entry] = []
    for number in number..<self.end {
      guard let entry = self.entries.removeValue(forKey: number) else { continue }
      if let key = entry.key {
        self.removeFromInFlight(number, Array(key.utf8))
      }
      entries.append(entry)
    }
    self.end = number
    return entries
  }

  private mutating func removeFromInFlight(_ number: Int, _ key: [UInt8]) {
    let others = self.inFlight[key]?.filter { $0 != number } ?? []
    self.inFlight[key] = others.isEmpty ? nil : others
  }
}
