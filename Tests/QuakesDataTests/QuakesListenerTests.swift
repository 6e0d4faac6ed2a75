import CSQLite
import ImmutableData
import Testing

@testable import QuakesData
@testable import SQLiteStorage

/// A typed store with its cache and feed, without JSON.
@Suite struct QuakesListenerTests {
  private let store = Store(initialState: QuakesState(), reducer: QuakesReducer.reduce)
  private let cache: LocalStore
  private let feed = StubFeed()
  private let listener: QuakesListener

  init() throws {
    self.cache = try LocalStore()
    self.listener = QuakesListener(localStore: self.cache, remoteStore: self.feed)
    self.listener.listen(to: self.store)
  }

  private func dispatch(_ action: QuakesAction.UI.QuakeList) throws {
    try self.store.dispatch(action: .ui(.quakeList(action)))
    try self.listener.settle()
  }

  private func refresh(_ quakes: [Quake]) throws {
    self.feed.set(quakes)
    try self.dispatch(.onTapRefreshQuakesButton(range: .allDay))
  }

  private var ids: [String] {
    self.store.state.quakes.data.keys.sorted()
  }

  private func cachedIds() throws -> [String] {
    try self.cache.fetchLocalQuakesQuery().map(\.id).sorted()
  }

  private func configure(_ script: String) throws {
    try self.cache.database.read { try $0.execute(script) }
  }

  @Test func theCacheFollowsTheState() throws {
    try self.dispatch(.onAppear)
    #expect(self.store.state == QuakesState([], status: .success))
    try self.refresh([Quake("1"), Quake("2"), Quake("3", magnitude: 0)])
    #expect(self.ids == ["1", "2"])
    #expect(try self.cachedIds() == ["1", "2"])
    try self.dispatch(.onTapDeleteSelectedQuakeButton(quakeId: "1"))
    #expect(try self.cachedIds() == ["2"])
    try self.refresh([Quake("2", magnitude: 0), Quake("4")])
    #expect(try self.cachedIds() == ["4"])
    try self.dispatch(.onTapDeleteAllQuakesButton)
    #expect(try self.cachedIds() == [])
    #expect(self.store.state == QuakesState([], status: .success))
  }

  @Test func theProgramMakesTheTextOfAFailure() throws {
    self.listener.cancel()
    self.cache.close()
    let listener = QuakesListener(localStore: self.cache, remoteStore: self.feed) {
      "\(type(of: $0))"
    }
    listener.listen(to: self.store)
    try self.store.dispatch(action: .ui(.quakeList(.onAppear)))
    try listener.settle()
    #expect(self.store.state.quakes.status == .failure(error: "StorageError"))
  }

  /// The program has not read the cache.
  @Test func aQuakeThatTheFeedWithdrawsLeavesTheCache() throws {
    try self.cache.didFetchRemoteQuakesMutation(
      inserted: [Quake("1"), Quake("2")], updated: [], deleted: [])
    try self.refresh([Quake("1", magnitude: 0), Quake("3", magnitude: -1)])
    #expect(self.store.state == QuakesState([], status: .success))
    #expect(try self.cachedIds() == ["2"])
  }

  @Test func onlyWhatChangedIsWritten() throws {
    let quakes = (1...1_000).map { Quake("\($0)") }
    try self.refresh(quakes)
    let changes = {
      try self.cache.database.read { Int(sqlite3_total_changes($0.connection)) }
    }
    #expect(try changes() == 1_000)
    try self.refresh(quakes)
    #expect(try changes() == 1_000)
    try self.refresh(quakes.enumerated().map { $0 % 100 == 0 ? Quake($1.id, magnitude: 2) : $1 })
    #expect(try changes() == 1_010)
    // A store that has not read the cache finds the rows there.
    let other = Store(initialState: QuakesState(), reducer: QuakesReducer.reduce)
    self.listener.listen(to: other)
    self.feed.set(quakes)
    try other.dispatch(action: .ui(.quakeList(.onTapRefreshQuakesButton(range: .allDay))))
    try self.listener.settle()
    #expect(try changes() == 1_020)
  }

  @Test func skippedFeaturesAreReported() throws {
    let reader = self.store.makeReader()
    self.feed.set([Quake("1")], skipped: .init(count: 2, error: "no"))
    try self.dispatch(.onTapRefreshQuakesButton(range: .allDay))
    let skipped = QuakesAction.data(
      .persistentSession(.remoteStore(.didSkipFeatures(count: 2, error: "no"))))
    var read: QuakesAction?
    while read != skipped {
      guard case .element(let commit) = reader.next() else {
        Issue.record("the stream of actions ended")
        return
      }
      read = commit.action
    }
    #expect(self.store.state == QuakesState([Quake("1")], status: .success))
  }

  // MARK: Faults of the cache

  private static let full =
    "the disk of the database in memory is full; free some space and try again"
  private static let readOnly =
    "cannot write the database in memory: it is read-only; the file and its directory must be "
    + "writable"
  private static let damaged =
    "the database in memory does not have the expected tables: no such table: quakes"

  static let faults = [
    // The table fills its page, and no other page is allowed.
    ("PRAGMA max_page_count = 1", "PRAGMA max_page_count = 1000000", full),
    ("PRAGMA query_only = ON", "PRAGMA query_only = OFF", readOnly),
    ("ALTER TABLE quakes RENAME TO lost", "ALTER TABLE lost RENAME TO quakes", damaged),
  ]

  /// The fetched quakes are shown, and saved when the cache works again, although the feed then
  /// sends nothing new.
  @Test(arguments: faults)
  func whatCouldNotBeSavedIsSavedLater(_ fault: String, _ repair: String, _ message: String) throws
  {
    let quakes = (1...200).map { Quake("\($0)", name: String(repeating: "n", count: 200)) }
    try self.refresh([Quake("0")])
    try self.configure(fault)
    try self.refresh(quakes + [Quake("0", magnitude: 0)])
    #expect(self.store.state.quakes.data.count == 200)
    #expect(self.store.state.quakes.status == .failure(error: message))
    try self.configure(repair)
    #expect(try self.cachedIds() == ["0"])
    try self.refresh(quakes)
    #expect(self.store.state.quakes.status == .success)
    #expect(try self.cachedIds() == self.ids)
  }

  @Test(arguments: faults.dropFirst())
  func deletionsThatFailAreUndone(_ fault: String, _ repair: String, _ message: String) throws {
    try self.refresh([Quake("1"), Quake("2")])
    try self.configure(fault)
    for action in [
      QuakesAction.UI.QuakeList.onTapDeleteSelectedQuakeButton(quakeId: "1"),
      .onTapDeleteAllQuakesButton,
    ] {
      try self.store.dispatch(action: .ui(.quakeList(action)))
      try self.listener.settle()
      #expect(
        self.store.state == QuakesState([Quake("1"), Quake("2")], status: .failure(error: message)))
    }
    #expect(self.listener.failedEffects == 2)
    try self.configure(repair)
    #expect(try self.cachedIds() == ["1", "2"])
    try self.dispatch(.onTapDeleteSelectedQuakeButton(quakeId: "1"))
    #expect(try self.cachedIds() == ["2"])
  }

  /// A deletion makes a change obsolete that could not be saved.
  @Test func deletedQuakesAreNotSavedLater() throws {
    try self.configure("PRAGMA query_only = ON")
    try self.refresh([Quake("1"), Quake("2")])
    try self.configure("PRAGMA query_only = OFF")
    try self.dispatch(.onTapDeleteSelectedQuakeButton(quakeId: "1"))
    try self.refresh([])
    #expect(try self.cachedIds() == ["2"])
    try self.configure("PRAGMA query_only = ON")
    try self.refresh([Quake("3")])
    try self.configure("PRAGMA query_only = OFF")
    try self.dispatch(.onTapDeleteAllQuakesButton)
    try self.refresh([])
    #expect(try self.cachedIds() == [])
  }

  @Test func aCacheThatCannotBeReadIsReported() throws {
    try self.refresh([Quake("1")])
    try self.configure("UPDATE quakes SET magnitude = 9e999")
    let other = Store(initialState: QuakesState([Quake("2")]), reducer: QuakesReducer.reduce)
    self.listener.listen(to: other)
    try other.dispatch(action: .ui(.quakeList(.onAppear)))
    try self.listener.settle()
    let message =
      "the quake \"1\" in the database in memory cannot be read: magnitude is inf, not a finite "
      + "number; correct the row, or restore the database from a backup"
    #expect(other.state == QuakesState([Quake("2")], status: .failure(error: message)))
  }

  @Test func theCacheStaysOpen() throws {
    self.listener.cancel()
    #expect(try self.cachedIds() == [])
  }
}
