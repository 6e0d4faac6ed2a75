import HashTreeCollections

/// What a response of the feed changed in the state.
struct QuakeChanges: Hashable, Sendable {
  var inserted: [Quake] = []
  var updated: [Quake] = []
  var deleted: [Quake] = []
}

extension QuakeChanges {
  typealias Quakes = TreeDictionary<Quake.ID, Quake>

  /// Compares the states before and after a response, in the order of its quakes. A quake that
  /// occurs several times is one change. O(k) for k quakes.
  init(_ fetched: [Quake], from old: Quakes, to new: Quakes) {
    var seen: Set<Quake.ID> = []
    for quake in fetched where seen.insert(quake.id).inserted {
      switch (old[quake.id], new[quake.id]) {
      case (nil, let new?): self.inserted.append(new)
      case (let old?, let new?) where old != new: self.updated.append(new)
      case (let old?, nil): self.deleted.append(old)
      // The cache may have it: the program may not have read it, or a deletion may have failed.
      case (nil, nil): self.deleted.append(quake)
      case (_?, _?): break
      }
    }
  }

  /// Those of some quakes that are in the new state only. O(k) for k quakes.
  init(restoring quakes: [Quake], from old: Quakes, to new: Quakes) {
    var seen: Set<Quake.ID> = []
    for quake in quakes where old[quake.id] == nil && seen.insert(quake.id).inserted {
      if let new = new[quake.id] { self.inserted.append(new) }
    }
  }

  var isEmpty: Bool {
    self.inserted.isEmpty && self.updated.isEmpty && self.deleted.isEmpty
  }

  /// Returns these changes followed by later ones, which replace those of the same quakes. O(k).
  func followed(by later: QuakeChanges) -> QuakeChanges {
    guard !self.isEmpty else { return later }
    let replaced = Set((later.inserted + later.updated + later.deleted).map(\.id))
    var changes = self
    changes.removeAll(where: replaced.contains)
    changes.inserted += later.inserted
    changes.updated += later.updated
    changes.deleted += later.deleted
    return changes
  }

  /// Removes the changes of the quakes whose ids satisfy a predicate.
  mutating func removeAll(where isRemoved: (Quake.ID) -> Bool) {
    self.inserted.removeAll { isRemoved($0.id) }
    self.updated.removeAll { isRemoved($0.id) }
    self.deleted.removeAll { isRemoved($0.id) }
  }
}
