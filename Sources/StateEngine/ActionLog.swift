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

  /// Where the numbers begin, and behind which they end. Some between are those of no entry.
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

  /// Ends the oldest flight of a key: its action stays.
  mutating func keep(_ key: String) {
    guard let number = self.land(key) else { return }
    self.entries[number]?.key = nil
    self.forget()
  }

  /// Ends the oldest flight of a key, and takes its action out.
  ///
  /// - Returns: The state without it; `nil` if nothing is in flight by this key.
  mutating func takeOut(_ key: String, _ reduce: Reduce) -> State? {
    guard let number = self.land(key), var state = self.entries[number]?.state else { return nil }
    self.entries[number] = nil
    for number in number..<self.end {
      guard var entry = self.entries[number] else { continue }
      entry.state = state
      do {
        state = try reduce(state, entry.action, entry.step)
        self.entries[number] = entry
      } catch {
        self.leaveOut(entry, number)
      }
    }
    self.forget()
    return state
  }

  private mutating func leaveOut(_ entry: Entry, _ number: Int) {
    self.entries[number] = nil
    if let key = entry.key {
      self.land(number, Array(key.utf8))
    }
  }

  /// The number of the oldest flight of a key, which ends.
  private mutating func land(_ key: String) -> Int? {
    let key = Array(key.utf8)
    guard let number = self.flights[key]?.first else { return nil }
    self.land(number, key)
    return number
  }

  private mutating func land(_ number: Int, _ key: [UInt8]) {
    let others = self.flights[key]?.filter { $0 != number } ?? []
    self.flights[key] = others.isEmpty ? nil : others
  }

  /// Drops what came before the oldest that is in flight.
  private mutating func forget() {
    while self.start < self.end, self.entries[self.start]?.key == nil {
      self.entries[self.start] = nil
      self.start += 1
    }
  }
}
