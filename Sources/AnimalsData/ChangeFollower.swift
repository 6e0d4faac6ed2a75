import ImmutableData
import ImmutableJSON
import StateEngine

/// Follows the changes that a server of animals tells of, by `GET /animals/changes`: what another
/// client changes, changes here too.
///
/// It goes on where it was after a cut. What it does, it does as effects, between the others: so what
/// was asked of the server before a change is never dispatched after it.
final class ChangeFollower: Sendable {
  typealias Context = EffectContext<AnimalsState, AnimalsAction>

  private struct State {
    var call: FetchCall?
    var events = EventStream()
    /// Counts the connections, so that what belongs to an old one is known.
    var number = 0
    /// Of the last change that was taken over.
    var lastId: String?
    var hasHeard = false
    var pause = ChangeFollower.shortestPause
    var isOver = false
  }

  private let remote: RemoteStore
  private let state = Mutex(State())

  init(_ remote: RemoteStore) {
    self.remote = remote
  }

  // In milliseconds: how long it waits before it connects, and connects again, twice as long each
  // time; and after how long without a sign from the server, which gives one each 10 s, it does.
  private static var firstPause: Int32 { 10 }
  private static var shortestPause: Int32 { 100 }
  private static var longestPause: Int32 { 10_000 }
  private static var patience: Int32 { 30_000 }
}

extension ChangeFollower {
  func begin(in context: Context) {
    // A moment later: who opens a store has to say then what makes its requests.
    context.perform(after: Self.firstPause) { self.connect(in: $0) }
  }

  func end() {
    let call = self.state.withLock { state in
      state.isOver = true
      return state.call
    }
    call?.cancel()
  }
}

// MARK: The connection

extension ChangeFollower {
  private func connect(in context: Context) {
    let (number, lastId) = self.state.withLock { state in
      state.number += 1
      (state.events, state.hasHeard) = (EventStream(), true)
      return (state.number, state.lastId)
    }
    var headers = [FetchHeader("Accept", "text/event-stream")]
    if let lastId { headers.append(FetchHeader("Last-Event-ID", lastId)) }
    let request = FetchRequest(url: "\(self.remote.address)/animals/changes", headers: headers)
    let call = self.remote.fetcher.stream(request) { [weak self] in
      self?.receive($0, of: number, in: context)
    }
    let isOver = self.state.withLock { state in
      state.call = call
      return state.isOver
    }
    if isOver { call.cancel() }
    context.perform(after: Self.patience) { self.listen(to: number, in: $0) }
  }

  private func receive(_ event: FetchCall.Event, of number: Int, in context: Context) {
    switch event {
    case .response(let response):
      if response.status != 200 { self.cut() }
    case .part(let bytes):
      let (events, hasOverflowed) = self.state.withLock { state in
        guard state.number == number else { return ([EventStream.Event](), false) }
        state.hasHeard = true
        return (state.events.read(bytes), state.events.hasOverflowed)
      }
      for event in events {
        context.perform { try self.take(event, of: number, in: $0) }
      }
      if hasOverflowed { self.cut() }
    case .end(.closed) where self.state.withLock(\.isOver): break
    case .end:
      let pause = self.state.withLock { state in
        defer { state.pause = min(state.pause * 2, Self.longestPause) }
        return state.pause
      }
      context.perform(after: pause) { self.connect(in: $0) }
    }
  }

  /// Connects anew if the server gave no sign for long.
  private func listen(to number: Int, in context: Context) {
    let (isCurrent, hasHeard) = self.state.withLock { state in
      defer { state.hasHeard = false }
      return (state.number == number && !state.isOver, state.hasHeard)
    }
    guard isCurrent else { return }
    guard hasHeard else { return self.cut() }
    context.perform(after: Self.patience) { self.listen(to: number, in: $0) }
  }

  private func cut() {
    self.state.withLock(\.call)?.cancel()
  }
}

// MARK: Changes

extension ChangeFollower {
  private func take(
    _ event: EventStream.Event, of number: Int, in context: Context
  ) throws {
    guard self.state.withLock({ $0.number == number }) else { return }
    do {
      switch event.name {
      case "reset": try self.fetchAll(in: context)
      case "change": try self.apply(Value(json: event.data).decode(), in: context)
      default: return
      }
    } catch {
      // What is here may differ from what is there: all of it is fetched again.
      self.state.withLock { $0.lastId = nil }
      self.cut()
      throw error
    }
    self.state.withLock { state in
      state.lastId = event.id
      state.pause = Self.shortestPause
    }
  }

  /// Fetches again what was fetched, when it is not known what changed since.
  private func fetchAll(in context: Context) throws {
    let state = try context.state
    guard state.categories.status != nil || state.animals.status != nil else { return }
    let (animals, categories) = try self.remote.fetchAll()
    try context.dispatch(
      .data(
        .persistentSession(
          .didReloadSampleData(result: .success(animals: animals, categories: categories)))))
  }

  private func apply(_ mutation: RemoteResponse.Mutation, in context: Context) throws {
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
