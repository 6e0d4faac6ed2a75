import HashTreeCollections

/// The actions since the oldest that is in flight began, each with the state that it found.
///
/// Timelines share what they have in common of it, so that one more action costs O(log n), as does
/// the end of one that is in flight. To take one out costs what came after it, not what came before:
/// this is what the states are kept for.
struct ActionLog<State: Sendable, Action: Sendable>: Sendable {
  typealias Reduce = @Sendable (State, Action, Optimism.Step) throws -> State

  struct Entry: Sendable {
    /// What the action found.
    var state: State
    let action: Action
    let step: Optimism.Step

    /// By which the outcome is recognised, while the action is in flight.
    var key: String?
  }

  /// By their numbers. The first is in flight, or there is none.
  private var entries: TreeDictionary<Int, Entry> = [:]

  /// The numbers of those in flight, the oldest first, by the bytes of their key.
  private var flights: TreeDictionary<[UInt8], [Int]> = [:]

  /// The numbers are those from here to before `end`.
  private var start = 0
  private var end = 0
}

extension ActionLog {
  /// How many actions are kept. With one more, the oldest in flight is kept as it is shown.
  static var capacity: Int { 1024 }

  var isEmpty: Bool {
    self.entries.isEmpty
  }

  /// Adds an action; one that is not in flight is kept only behind one that is.
  mutating func append(_ entry: Entry) {
    guard !self.isEmpty || entry.key != nil else { return }
    self.entries[self.end] = entry
    if let key = entry.key {
      self.flights[Array(key.utf8), default: []].append(self.end)
    }
    self.end += 1
    if self.entries.count > Self.capacity, let key = self.entries[self.start]?.key {
      self.keep(key)
    }
  }

  /// Ends the oldest flight of a key: its action stays. What came before the oldest that is then in
  /// flight is dropped.
  ///
  /// - Returns: Whether there was one.
  @discardableResult
  mutating func keep(_ key: String) -> Bool {
    let key = Array(key.utf8)
    guard let number = self.flights[key]?.first else { return false }
    self.land(number, key)
    self.entries[number]?.key = nil
    while self.start < self.end, self.entries[self.start]?.key == nil {
      self.entries[self.start] = nil
      self.start += 1
    }
    return true
  }

  /// Ends the oldest flight of a key, and takes its action out.
  ///
  /// - Returns: The state without it; `nil` if nothing is in flight by this key.
  /// - Throws: ``ReducerInterruption`` alone.
  mutating func takeOut(_ key: String, _ reduce: Reduce) throws -> State? {
    guard let number = self.flights[Array(key.utf8)]?.first,
      var state = self.entries[number]?.state
    else { return nil }
    for var entry in self.cut(from: number).dropFirst() {
      do {
        let next = try reduce(state, entry.action, entry.step)
        entry.state = state
        self.append(entry)
        state = next
      } catch let interruption as ReducerInterruption {
        throw interruption
      } catch {
        // What the reducer now refuses is left out.
      }
    }
    return state
  }

  /// Takes out all entries from a number on.
  private mutating func cut(from number: Int) -> [Entry] {
    var entries: [Entry] = []
    for number in number..<self.end {
      guard let entry = self.entries.removeValue(forKey: number) else { continue }
      if let key = entry.key {
        self.land(number, Array(key.utf8))
      }
      entries.append(entry)
    }
    self.end = number
    return entries
  }

  /// Ends a flight.
  private mutating func land(_ number: Int, _ key: [UInt8]) {
    let others = self.flights[key]?.filter { $0 != number } ?? []
    self.flights[key] = others.isEmpty ? nil : others
  }
}
