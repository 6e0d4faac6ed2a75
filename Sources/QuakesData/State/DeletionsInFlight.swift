import HashTreeCollections
import ProductSupport

/// The deletions whose outcome is not known yet, the oldest first, with the quakes to show again if
/// they fail.
///
/// The cache performs reads, writes and deletions in the order of their actions. So a quake
/// that was read from the cache stays hidden while its deletion is in flight: the cache deletes it
/// later.
struct DeletionsInFlight: Sendable {
  typealias Quakes = TreeDictionary<Quake.ID, Quake>

  private struct Deletion: Sendable {
    /// `nil` for all quakes.
    let quakeId: Quake.ID?
    var removed: Quakes

    /// Moves from `quakes` to ``removed`` those that this deletion removes.
    ///
    /// - Parameter areOlder: Whether those that it has already are kept instead.
    mutating func take(from quakes: inout Quakes, areOlder: Bool) {
      if let quakeId {
        guard let quake = quakes.removeValue(forKey: quakeId) else { return }
        if !areOlder || self.removed[quakeId] == nil { self.removed[quakeId] = quake }
      } else {
        self.removed.merge(quakes) { areOlder ? $0 : $1 }
        quakes = [:]
      }
    }

    mutating func forget(_ ids: Set<Quake.ID>) {
      if let quakeId {
        if ids.contains(quakeId) { self.removed = [:] }
      } else {
        for id in ids where !self.removed.isEmpty { self.removed[id] = nil }
      }
    }
  }

  private var deletions: [Deletion] = []
}

extension DeletionsInFlight {
  /// Adds the deletion of a quake, or of all quakes for `nil`.
  mutating func begin(_ quakeId: Quake.ID?, removing quakes: Quakes) {
    self.deletions.append(Deletion(quakeId: quakeId, removed: quakes))
  }

  /// Removes the oldest deletion of a quake, or of all quakes for `nil`, which succeeded.
  mutating func succeed(_ quakeId: Quake.ID?) {
    guard let index = self.index(of: quakeId) else { return }
    self.deletions.remove(at: index)
  }

  /// Removes the oldest deletion of a quake, or of all quakes for `nil`, which failed.
  ///
  /// - Parameter quakes: What the deletion removed; used only if no such deletion is in flight.
  /// - Returns: The quakes to show again: those that no later deletion removes.
  mutating func fail(_ quakeId: Quake.ID?, removed quakes: [Quake]) -> Quakes {
    guard let index = self.index(of: quakeId) else {
      var removed: Quakes = [:]
      removed.merge(quakes)
      self.take(from: &removed, areOlder: true)
      return removed
    }
    var removed = self.deletions.remove(at: index).removed
    // A later deletion may have one that was restored after this one.
    self.take(from: &removed, after: index, areOlder: true)
    return removed
  }

  /// Takes from `quakes` those that deletions remove. Each goes to the first of its deletions.
  /// O(n + k) for n quakes and k deletions.
  ///
  /// - Parameters:
  ///   - index: The number of deletions to skip.
  ///   - areOlder: Whether deletions keep the versions that they have.
  mutating func take(from quakes: inout Quakes, after index: Int = 0, areOlder: Bool = false) {
    for index in self.deletions.indices.dropFirst(index) where !quakes.isEmpty {
      self.deletions[index].take(from: &quakes, areOlder: areOlder)
    }
  }

  /// Makes the quakes of a response final: no failure of an earlier deletion restores their
  /// previous versions.
  mutating func supersede(with quakes: [Quake]) {
    guard !self.isEmpty else { return }
    let ids = Set(quakes.map(\.id))
    for index in self.deletions.indices { self.deletions[index].forget(ids) }
  }

  var isEmpty: Bool {
    self.deletions.isEmpty
  }

  private func index(of quakeId: Quake.ID?) -> Int? {
    self.deletions.firstIndex { $0.quakeId == quakeId }
  }
}

/// All are equal, so that states with the same quakes and status are equal.
extension DeletionsInFlight: Hashable {
  static func == (left: DeletionsInFlight, right: DeletionsInFlight) -> Bool {
    true
  }

  func hash(into hasher: inout Hasher) {}
}
