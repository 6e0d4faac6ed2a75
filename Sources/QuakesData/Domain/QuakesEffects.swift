import ProductSupport
import StateEngine
import Threading

/// Reads and writes the cache and fetches feeds as actions require, and dispatches the results.
struct QuakesEffects: Effects {
  typealias Context = EffectContext<QuakesState, QuakesAction>

  private let localStore: any PersistentSessionLocalStore
  private let remoteStore: any PersistentSessionRemoteStore
  private let closesStore: Bool
  private let describe: @Sendable (any Error) -> String

  /// The changes that could not be saved. They are saved with the next ones, because a later
  /// response that equals the state contains no change.
  private let unsaved = Unsaved()

  /// - Parameters:
  ///   - closesStore: Whether the cache is closed at the end.
  ///   - describe: Makes the text of a failure in the state.
  init(
    localStore: any PersistentSessionLocalStore, remoteStore: any PersistentSessionRemoteStore,
    closesStore: Bool, describe: @escaping @Sendable (any Error) -> String = { "\($0)" }
  ) {
    self.localStore = localStore
    self.remoteStore = remoteStore
    self.closesStore = closesStore
    self.describe = describe
  }

  /// Reads the cache if the initial state is waiting: whatever it was waiting for is not in flight,
  /// and nothing else would end the status.
  func begin(in context: Context) {
    guard (try? context.state.quakes.status) == .waiting else { return }
    context.perform { try self.fetchCache(in: $0) }
  }

  func end() {
    if self.closesStore { self.localStore.close() }
  }

  func backup(to path: String) throws(EngineError) {
    guard let store = self.localStore as? LocalStore else { throw .noDatabase }
    do {
      try store.backup(to: path)
    } catch {
      throw EngineError(error)
    }
  }

  func effect(
    of action: QuakesAction, from oldState: QuakesState, to newState: QuakesState
  ) -> Effect<QuakesState, QuakesAction>? {
    let (old, new) = (oldState.quakes, newState.quakes)
    switch action {
    case .ui(.quakeList(.onAppear)):
      guard old.status == nil, new.status == .waiting else { return nil }
      return { try self.fetchCache(in: $0) }
    case .ui(.quakeList(.onTapRefreshQuakesButton(let range))):
      guard old.status != .waiting, new.status == .waiting else { return nil }
      return { try self.fetchFeed(range, in: $0) }
    case .ui(.quakeList(.onTapDeleteSelectedQuakeButton(let quakeId))):
      guard let quake = old.data[quakeId] else { return nil }
      return { try self.delete(quake, in: $0) }
    case .ui(.quakeList(.onTapDeleteAllQuakesButton)):
      return { try self.deleteAll(old.data, in: $0) }
    case .ui(.quakeList(.onTapRestoreQuakesButton(let quakes))):
      let changes = QuakeChanges(restoring: quakes, from: old.data, to: new.data)
      guard !changes.isEmpty else { return nil }
      return { try self.save(changes, in: $0) }
    case .data(.persistentSession(.remoteStore(.didFetchQuakes(.success(let quakes))))):
      return { try self.save(QuakeChanges(quakes, from: old.data, to: new.data), in: $0) }
    case .data:
      return nil
    }
  }
}

private final class Unsaved: Sendable {
  let changes = Mutex(QuakeChanges())
}

// MARK: Effects

extension QuakesEffects {
  private func fetchCache(in context: Context) throws {
    try context.dispatch(describe: self.describe) {
      .local(.didFetchQuakes(result: .success(quakes: try self.localStore.fetchLocalQuakesQuery())))
    } failure: {
      .local(.didFetchQuakes(result: .failure(error: $0)))
    }
  }

  private func fetchFeed(_ range: QuakeRange, in context: Context) throws {
    try context.dispatch(describe: self.describe) {
      let feed = try self.remoteStore.fetchRemoteQuakesQuery(range: range)
      if let skipped = feed.skipped {
        try context.dispatch(
          .remote(.didSkipFeatures(count: skipped.count, error: skipped.error)))
      }
      return .remote(.didFetchQuakes(result: .success(quakes: feed.quakes)))
    } failure: {
      .remote(.didFetchQuakes(result: .failure(error: $0)))
    }
  }

  private func save(_ changes: QuakeChanges, in context: Context) throws {
    let all = self.unsaved.changes.withLock { unsaved in
      unsaved = unsaved.followed(by: changes)
      return unsaved
    }
    try context.dispatch(describe: self.describe) {
      let rows = try self.localStore.didFetchRemoteQuakesMutation(
        inserted: all.inserted, updated: all.updated, deleted: all.deleted)
      self.unsaved.changes.withLock { $0 = QuakeChanges() }
      return .local(.didSaveQuakes(result: .success(changes: rows)))
    } failure: {
      .local(.didSaveQuakes(result: .failure(error: $0)))
    }
  }

  private func delete(_ quake: Quake, in context: Context) throws {
    try context.dispatch(describe: self.describe) {
      try self.localStore.deleteLocalQuakeMutation(quakeId: quake.id)
      self.unsaved.changes.withLock { $0.removeAll { $0 == quake.id } }
      return .local(.didDeleteQuake(quakeId: quake.id, result: .success))
    } failure: {
      .local(.didDeleteQuake(quakeId: quake.id, result: .failure(error: $0, quake: quake)))
    }
  }

  private func deleteAll(_ quakes: QuakeChanges.Quakes, in context: Context) throws {
    try context.dispatch(describe: self.describe) {
      try self.localStore.deleteLocalQuakesMutation()
      self.unsaved.changes.withLock { $0 = QuakeChanges() }
      return .local(.didDeleteAllQuakes(result: .success))
    } failure: {
      // The order of a dictionary differs between processes.
      let sorted = quakes.values.sorted(by: [])
      return .local(.didDeleteAllQuakes(result: .failure(error: $0, quakes: sorted)))
    }
  }
}

extension QuakesAction {
  fileprivate static func local(_ action: Data.PersistentSession.LocalStore) -> Self {
    .data(.persistentSession(.localStore(action)))
  }

  fileprivate static func remote(_ action: Data.PersistentSession.RemoteStore) -> Self {
    .data(.persistentSession(.remoteStore(action)))
  }
}
