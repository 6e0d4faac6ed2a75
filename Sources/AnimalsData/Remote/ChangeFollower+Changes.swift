import ImmutableJSON
import StateEngine

// What the server tells of becomes actions, if it is new here.

extension ChangeFollower {
  func take(
    _ event: ServerSentEventParser.Event, of number: Int, in context: Context
  ) throws {
    guard self.isCurrent(number) else { return }
    do {
      switch self.step(for: event) {
      case .fetchAll: try self.fetchAll(of: number, in: context)
      case .apply: try self.apply(event, in: context)
      case .skip: return
      }
    } catch {
      // What is here may differ from what is there: the next connection begins with a reset.
      self.state.withLock { $0.lastId = nil }
      self.cut(number, (error as? RemoteError)?.kind ?? .unreadable("\(error)"))
      throw error
    }
    let isFollowing = self.state.withLock { state in
      guard state.isCurrent(number) else { return true }
      state.lastId = event.id
      return state.isFollowing
    }
    if !isFollowing { context.schedule { self.connected(number, in: $0) } }
  }

  private enum Step {
    case fetchAll, apply, skip
  }

  /// What an event calls for. Changes are numbered without gaps: one that is missing was lost.
  private func step(for event: ServerSentEventParser.Event) -> Step {
    self.state.withLock { state in
      switch event.name {
      case "reset":
        state.resets -= 1
        // The last one fetches for those before it.
        return state.resets > 0 ? .skip : .fetchAll
      case "change":
        guard let last = state.lastId.flatMap({ Int64($0) }), let next = Int64(event.id) else {
          return .apply
        }
        if next <= last { return .skip }
        return next - 1 == last ? .apply : .fetchAll
      default:
        return .skip
      }
    }
  }

  private func isCurrent(_ number: Int) -> Bool {
    self.state.withLock { $0.isCurrent(number) }
  }

  /// Fetches again what was fetched, when it is not known what changed since.
  private func fetchAll(of number: Int, in context: Context) throws {
    let state = try context.state
    guard state.categories.status != nil || state.animals.status != nil else { return }
    let wasFollowing = self.state.withLock { state in
      defer { state.isFollowing = false }
      return state.isCurrent(number) && state.isFollowing
    }
    if wasFollowing {
      context.schedule { context in
        if self.isCurrent(number) { self.report(.didBeginConnecting, in: context) }
      }
    }
    try self.remote.fetchAll(in: context)
  }

  /// Fetches again what could not be fetched.
  func fetchFailed(of number: Int, in context: Context) throws {
    let state = try context.state
    guard self.isCurrent(number), state.hasFailedFetch else { return }
    try self.remote.fetchAll(in: context)
  }
}

extension ChangeFollower {
  private func apply(_ event: ServerSentEventParser.Event, in context: Context) throws {
    let mutation: RemoteResponse.Mutation = try Value(json: event.data).decode()
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

extension RemoteStore {
  /// Dispatches all that the server has, in place of what there is.
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
