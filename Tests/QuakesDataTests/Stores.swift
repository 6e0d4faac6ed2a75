import QuakesData
import Threading

/// A cache and a feed that record calls, and answer each with the same quake or an error.
final class RecordingStore: PersistentSessionLocalStore, PersistentSessionRemoteStore {
  struct Refusal: Error, CustomStringConvertible {
    let description = "no"
  }

  private let refuses: Bool
  private let recorded = Mutex<[String]>([])

  init(refuses: Bool) {
    self.refuses = refuses
  }

  var calls: [String] {
    self.recorded.withLock { $0 }
  }

  private func answer<Answer>(_ call: String, _ answer: Answer) throws -> Answer {
    self.recorded.withLock { $0.append(call) }
    if self.refuses { throw Refusal() }
    return answer
  }

  func fetchLocalQuakesQuery() throws -> [Quake] {
    try self.answer("fetchLocal", [Quake("1")])
  }

  func didFetchRemoteQuakesMutation(
    inserted: [Quake], updated: [Quake], deleted: [Quake]
  ) throws -> Int {
    let lists = [inserted, updated, deleted].map { quakes in
      quakes.map { "\($0.id)=\($0.magnitude)" }.joined(separator: ",")
    }
    return try self.answer(
      "save(+\(lists[0]) ~\(lists[1]) -\(lists[2]))",
      inserted.count + updated.count + deleted.count)
  }

  func deleteLocalQuakeMutation(quakeId: Quake.ID) throws {
    try self.answer("delete(\(quakeId))", ())
  }

  func deleteLocalQuakesMutation() throws {
    try self.answer("deleteAll", ())
  }

  func fetchRemoteQuakesQuery(range: QuakeRange) throws -> QuakeFeed {
    try self.answer("fetchRemote(\(range))", QuakeFeed(quakes: [Quake("1")]))
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
