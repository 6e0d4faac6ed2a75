import ImmutableJSON
import ProductSupport
import StateEngine

// Applies the server's events to the store. Changes of an animal that the state already shows are
// skipped.

extension ChangeFollower {
  /// Handles the first event of the backlog, and the others after the effects that are waiting.
  func handleNext(in context: Context) throws {
    defer {
      if self.state.withLock({ $0.backlog.continueHandling() }) {
        context.perform { try self.handleNext(in: $0) }
      }
    }
    let (event, connection) = self.state.withLock { ($0.backlog.popFirst(), $0.connectionNumber) }
    if let event { try self.handle(event, of: connection, in: context) }
  }

  private func handle(
    _ event: ServerSentEventParser.Event, of connection: Int, in context: Context
  ) throws {
    do {
      switch self.step(for: event) {
      case .fetchAll: try self.fetchAll(of: connection, in: context)
      case .apply: try self.apply(event, in: context)
      case .skip: return
      }
    } catch {
      // The state may differ from the server. Without an id, the next connection begins with a
      // reset.
      self.state.withLock { $0.lastId = nil }
      let problem = (error as? RemoteError)?.kind ?? .unreadable(reason(error, in: "event"))
      self.disconnect(connection, problem)
      throw error.asEffectError
    }
    let isFollowing = self.state.withLock { state in
      guard state.isCurrent(connection) else { return true }
      state.lastId = event.id
      return state.isFollowing
    }
    if !isFollowing { context.schedule { self.didConnect(connection, in: $0) } }
  }

  private enum Step {
    case fetchAll, apply, skip
  }

  /// The step that an event requires. Change numbers have no gaps, so a gap means a lost change.
  private func step(for event: ServerSentEventParser.Event) -> Step {
    self.state.withLock { state in
      if event.name == "reset" { return .fetchAll }
      guard let last = state.lastId.flatMap({ Int64($0) }), let next = Int64(event.id) else {
        return .apply
      }
      if next <= last { return .skip }
      return next - 1 == last ? .apply : .fetchAll
    }
  }

  private func isCurrent(_ connection: Int) -> Bool {
    self.state.withLock { $0.isCurrent(connection) }
  }

  /// Fetches everything again, because the changes since the last fetch are unknown.
  private func fetchAll(of connection: Int, in context: Context) throws {
    let state = try context.state
    guard state.categories.status != nil || state.animals.status != nil else { return }
    let wasFollowing = self.state.withLock { state in
      defer { state.isFollowing = false }
      return state.isCurrent(connection) && state.isFollowing
    }
    if wasFollowing {
      context.schedule { context in
        if self.isCurrent(connection) { self.report(.didBeginConnecting, in: context) }
      }
    }
    try self.remote.fetchAll(in: context)
  }

  /// Retries fetches that failed.
  func retryFailedFetches(of connection: Int, in context: Context) throws {
    let state = try context.state
    guard self.isCurrent(connection), state.hasFailedFetch else { return }
    do {
      try self.remote.fetchAll(in: context)
    } catch {
      throw error.asEffectError
    }
  }
}

extension ChangeFollower {
  private func apply(_ event: ServerSentEventParser.Event, in context: Context) throws {
    let mutation = try self.mutation(of: event)
    let state = try context.state
    switch mutation {
    case .addAnimal(let animal), .updateAnimal(let animal):
      guard state.animals.status != nil, state.animals.data[animal.id] != animal else { return }
      try context.dispatch(
        .data(.persistentSession(.didReceiveChange(change: .saved(animal: animal)))))
    case .deleteAnimal(let animal):
      guard state.animals.data[animal.id] != nil else { return }
      try context.dispatch(
        .data(.persistentSession(.didReceiveChange(change: .deleted(animal: animal)))))
    case .reloadSampleData(let animals, let categories):
      guard state.categories.status != nil || state.animals.status != nil else { return }
      try context.dispatch(
        .data(
          .persistentSession(
            .didReloadSampleData(result: .success(animals: animals, categories: categories)))))
    }
  }
}

extension ChangeFollower {
  private func mutation(
    of event: ServerSentEventParser.Event
  ) throws(RemoteError) -> RemoteResponse.Mutation {
    do {
      return try Value(json: event.data).decode()
    } catch {
      throw self.remote.error(.unreadable(reason(error, in: "event")))
    }
  }
}

extension RemoteStore {
  /// Replaces the store's data with the server's.
  fileprivate func fetchAll(in context: ChangeFollower.Context) throws {
    let (animals, categories) = try self.fetchAll()
    try context.dispatch(
      .data(
        .persistentSession(
          .didReloadSampleData(result: .success(animals: animals, categories: categories)))))
  }
}

extension AnimalsState {
  fileprivate var hasFailedFetch: Bool {
    [self.categories.status, self.animals.status].contains { status in
      if case .failure = status { true } else { false }
    }
  }
}
