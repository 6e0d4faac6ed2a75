import QuakesData
import TestSupport
import Threading

/// A cache and a feed that record calls, and answer each with the same quake or an error.
struct RecordingStore: PersistentSessionLocalStore, PersistentSessionRemoteStore {
  let recorder: CallRecorder

  func fetchLocalQuakesQuery() throws -> [Quake] {
    try self.recorder.record("fetchLocal", [Quake("1")])
  }

  func didFetchRemoteQuakesMutation(
    inserted: [Quake], updated: [Quake], deleted: [Quake]
  ) throws -> Int {
    let lists = [inserted, updated, deleted].map { quakes in
      quakes.map { "\($0.id)=\($0.magnitude)" }.joined(separator: ",")
    }
    return try self.recorder.record(
      "save(+\(lists[0]) ~\(lists[1]) -\(lists[2]))",
      inserted.count + updated.count + deleted.count)
  }

  func deleteLocalQuakeMutation(quakeId: Quake.ID) throws {
    try self.recorder.record("delete(\(quakeId))", ())
  }

  func deleteLocalQuakesMutation() throws {
    try self.recorder.record("deleteAll", ())
  }

  func fetchRemoteQuakesQuery(range: QuakeRange) throws -> QuakeFeed {
    try self.recorder.record("fetchRemote(\(range))", QuakeFeed(quakes: [Quake("1")]))
  }
}

/// A feed that answers with the quakes that a test sets.
final class StubFeed: PersistentSessionRemoteStore {
  private let feed = Mutex(QuakeFeed(quakes: []))

  func set(_ quakes: [Quake], skipped: QuakeFeed.Skipped? = nil) {
    self.feed.withLock { $0 = QuakeFeed(quakes: quakes, skipped: skipped) }
  }

  func fetchRemoteQuakesQuery(range: QuakeRange) throws -> QuakeFeed {
    self.feed.withLock { $0 }
  }
}
