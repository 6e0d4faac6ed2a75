import TestSupport
import Testing

@testable import QuakesData
@testable import StateEngine

/// State and cache agree when all effects have ended, whatever the order of actions and outcomes,
/// and whichever calls of the cache fail.
///
/// A session runs on one thread. Its effects wait in a queue. A call of the cache or the feed
/// dispatches further actions before it returns, as a user does while an effect runs.
@Suite struct InterleavingTests {
  @Test(arguments: seeds(40))
  func stateAndCacheAgree(_ seed: Int) throws {
    let session = Session(seed: seed)
    for _ in 0..<40 {
      session.step()
      if session.waiting.isEmpty { session.expectAgreement() }
    }
    session.runAll()
    session.expectAgreement()
    // A response without changes saves what could not be saved before.
    session.recover()
    session.expectAgreement()
  }
}

/// A user, a store, a cache and a feed, driven by a seed.
private final class Session: @unchecked Sendable {
  private(set) var state = QuakesState()
  private(set) var waiting: [Effect<QuakesState, QuakesAction>] = []

  private var cache: [Quake.ID: Quake] = [:]
  private var generator: SeededGenerator
  private var log: [String] = []
  /// What the user has deleted.
  private var deleted: [Quake] = []
  private var isCacheRead = false
  private var hasUnsaved = false
  /// Whether calls succeed and the user does nothing.
  private var hasRecovered = false
  private lazy var effects = QuakesEffects(
    localStore: self, remoteStore: self, closesStore: false)

  init(seed: Int) {
    self.generator = SeededGenerator(seed)
    for id in Self.ids where Bool.random(using: &self.generator) {
      self.cache[id] = self.quake(id)
    }
  }

  private static let ids = ["a", "b", "c", "d"]

  private func quake(_ id: Quake.ID) -> Quake {
    Quake(id, magnitude: Double(Int.random(in: 1...3, using: &self.generator)))
  }

  private func chance(_ percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &self.generator) < percent
  }

  // MARK: Steps

  func step() {
    if self.waiting.isEmpty || self.chance(50) { self.act() } else { self.runNext() }
  }

  func runAll() {
    while !self.waiting.isEmpty { self.runNext() }
  }

  /// Lets all calls succeed, and fetches the feed.
  func recover() {
    self.hasRecovered = true
    self.runAll()
    self.dispatch(.ui(.quakeList(.onTapRefreshQuakesButton(range: .allDay))))
    self.runAll()
    #expect(self.state.quakes.status == .success && !self.hasUnsaved)
  }

  /// An action of the user.
  private func act() {
    let shown = self.state.quakes.data.keys.sorted()
    let action: QuakesAction.UI.QuakeList =
      switch Int.random(in: 0..<12, using: &self.generator) {
      case 0...1: .onAppear
      case 2...4: .onTapRefreshQuakesButton(range: .allDay)
      case 5...7:
        shown.randomElement(using: &self.generator).map {
          .onTapDeleteSelectedQuakeButton(quakeId: $0)
        } ?? .onAppear
      case 8...9: .onTapDeleteAllQuakesButton
      default: .onTapRestoreQuakesButton(quakes: self.deleted.filter { _ in self.chance(50) })
      }
    self.dispatch(.ui(.quakeList(action)))
  }

  private func dispatch(_ action: QuakesAction) {
    self.log.append("\(action)")
    do {
      let old = self.state
      self.state = try QuakesReducer.reduce(state: old, action: action)
      if case .ui = action {
        let shown = self.state.quakes.data
        self.deleted += old.quakes.data.values.sorted { $0.id < $1.id }
          .filter { shown[$0.id] == nil }
      }
      if let effect = self.effects.effect(of: action, from: old, to: self.state) {
        self.waiting.append(effect)
      }
    } catch {
      Issue.record("\(error): \(self.log)")
    }
  }

  private func runNext() {
    let queue = EffectQueue()
    let context = EffectContext<QuakesState, QuakesAction>(
      queue: queue, timers: EffectQueue(), functions: EffectFunctions(),
      pending: PendingTasks("effect")
    ) {
      self.state
    } send: {
      self.dispatch($0)
    } recordFailure: { _ in
    }
    try? self.waiting.removeFirst()(context)
  }

  func expectAgreement() {
    let shown = Dictionary(uniqueKeysWithValues: self.state.quakes.data.map { ($0, $1) })
    guard !self.hasUnsaved else { return }
    // If the program has not read the cache, the state has a part of it.
    let known = self.isCacheRead ? self.cache : self.cache.filter { shown[$0.key] != nil }
    #expect(shown == known, "\(self.log.joined(separator: "\n"))")
  }

  // MARK: Calls

  /// A call, before and after which the user acts.
  private func call<Result>(_ name: String, _ body: () -> Result) throws
    -> Result
  {
    if !self.hasRecovered, self.chance(30) { self.act() }
    defer { if !self.hasRecovered, self.chance(30) { self.act() } }
    guard self.hasRecovered || !self.chance(30) else {
      self.log.append("\(name) fails")
      throw CallRecorder.Refusal()
    }
    self.log.append(name)
    return body()
  }
}

extension Session: PersistentSessionLocalStore {
  func fetchLocalQuakesQuery() throws -> [Quake] {
    try self.call("read") {
      self.isCacheRead = true
      return self.cache.values.sorted { $0.id < $1.id }
    }
  }

  func didFetchRemoteQuakesMutation(
    inserted: [Quake], updated: [Quake], deleted: [Quake]
  ) throws -> Int {
    self.hasUnsaved = true
    return try self.call("save") {
      for quake in inserted + updated { self.cache[quake.id] = quake }
      for quake in deleted { self.cache[quake.id] = nil }
      self.hasUnsaved = false
      return inserted.count + updated.count + deleted.count
    }
  }

  func deleteLocalQuakeMutation(quakeId: Quake.ID) throws {
    try self.call("delete \(quakeId)") { self.cache[quakeId] = nil }
  }

  func deleteLocalQuakesMutation() throws {
    try self.call("delete all") { self.cache = [:] }
  }
}

extension Session: PersistentSessionRemoteStore {
  func fetchRemoteQuakesQuery(range: QuakeRange) throws -> QuakeFeed {
    try self.call("fetch") {
      guard !self.hasRecovered else { return QuakeFeed(quakes: []) }
      var quakes: [Quake] = []
      for id in Self.ids where self.chance(50) {
        quakes.append(self.chance(30) ? Quake(id, magnitude: 0) : self.quake(id))
      }
      return QuakeFeed(quakes: quakes)
    }
  }
}
