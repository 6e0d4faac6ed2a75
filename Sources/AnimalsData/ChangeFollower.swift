import ImmutableData
import StateEngine

/// Follows the changes that a server of animals tells of, by `GET /animals/changes`: what another
/// client changes, changes here too.
///
/// It connects once the host has a function that makes requests, connects anew when the host sets
/// another one, and stops when the host removes it. After a cut it continues after the last change that
/// it has. What it knows of the connection it dispatches, and the state has it as ``Connection``.
///
/// The connection is watched beside the effects, so its end is noticed also while an effect waits for
/// the server. Changes are taken over as effects, between the others: so what was asked of the server
/// before a change is never dispatched after it.
final class ChangeFollower: Sendable {
  typealias Context = EffectContext<AnimalsState, AnimalsAction>

  fileprivate struct State {
    /// The function of the host by which it is connected; `nil` while there is none.
    var hostNumber: Int?

    /// Counts the connections, so that what belongs to an old one is known.
    var number = 0
    var call: FetchCall?
    /// Whether what the connection with this number brings counts.
    var isLive = false
    /// Whether the state knows that the connection is there.
    var isFollowing = false
    /// Why it was cut from this side.
    var reason: RemoteError.Kind?

    var events = EventStream()
    /// Of the last change that was taken over.
    var lastId: String?

    var heartbeat = ChangeFollower.defaultHeartbeat
    /// When the server last gave a sign, and the number of the watch that counts.
    var lastSign: Int64 = 0
    var watch = 0

    var pause = ChangeFollower.shortestPause
    var isOver = false

    /// Whether what belongs to a connection still counts.
    func isCurrent(_ number: Int) -> Bool {
      self.number == number && self.isLive && !self.isOver
    }

    /// How long the server may be silent: two and a half heartbeats.
    var patience: Int64 {
      self.heartbeat * 5 / 2
    }
  }

  let remote: RemoteStore
  private let state = Mutex(State())

  init(_ remote: RemoteStore) {
    self.remote = remote
  }

  // In milliseconds: how often the server gives a sign unless it says so, what it may say, and how long
  // to wait before the next attempt to connect, which is doubled each time.
  private static var defaultHeartbeat: Int64 { 10_000 }
  private static var heartbeats: ClosedRange<Int64> { 10...3_600_000 }
  private static var shortestPause: Int32 { 100 }
  private static var longestPause: Int32 { 10_000 }
}

extension ChangeFollower {
  func begin(in context: Context) {
    self.remote.fetcher.onHostChange { [weak self] in
      guard let self else { return }
      context.schedule { self.useHost(in: $0) }
    }
    if self.remote.fetcher.hostNumber != nil {
      context.schedule { self.useHost(in: $0) }
    }
  }

  func end() {
    let call = self.state.withLock { state in
      state.isOver = true
      return state.call.take()
    }
    call?.cancel()
  }
}

// MARK: Connecting

// What follows up to `receive` runs beside the effects, one after the other.

extension ChangeFollower {
  /// Connects by the function that the host has now.
  private func useHost(in context: Context) {
    let hostNumber = self.remote.fetcher.hostNumber
    let (isNew, call) = self.state.withLock { state -> (Bool, FetchCall?) in
      guard state.hostNumber != hostNumber, !state.isOver else { return (false, nil) }
      state.hostNumber = hostNumber
      state.number += 1
      (state.isLive, state.pause) = (false, Self.shortestPause)
      return (true, state.call.take())
    }
    call?.cancel()
    guard isNew else { return }
    if hostNumber == nil {
      self.report(.didStop, in: context)
    } else {
      self.connect(in: context)
    }
  }

  private func connect(in context: Context) {
    let (number, lastId) = self.state.withLock { state in
      state.number += 1
      (state.isLive, state.isFollowing, state.reason) = (true, false, nil)
      (state.events, state.lastSign) = (EventStream(), Clock.uptime)
      return (state.number, state.lastId)
    }
    self.report(.didBeginConnecting, in: context)
    self.watch(number, in: context)
    let call = self.remote.stream(after: lastId) { [weak self] in
      self?.receive($0, of: number, in: context)
    }
    // The answer may have been refused before there was a call to cancel.
    let isCurrent = self.state.withLock { state in
      guard state.isCurrent(number) else { return false }
      state.call = call
      return true
    }
    if !isCurrent { call.cancel() }
  }

  /// Notes that what the server has sent so far is in the state.
  private func connected(_ number: Int, in context: Context) {
    let isNew = self.state.withLock { state in
      guard state.isCurrent(number), !state.isFollowing else { return false }
      state.isFollowing = true
      return true
    }
    guard isNew else { return }
    self.report(.didConnect, in: context)
    // What failed while the server could not be reached is fetched again.
    context.perform { try self.fetchFailed(of: number, in: $0) }
  }

  private func lost(_ number: Int, _ kind: RemoteError.Kind, in context: Context) {
    let lost = self.state.withLock { state -> (pause: Int32, kind: RemoteError.Kind)? in
      guard state.number == number, !state.isOver else { return nil }
      (state.isLive, state.call) = (false, nil)
      defer { state.pause = min(state.pause * 2, Self.longestPause) }
      return (state.pause, state.reason ?? kind)
    }
    guard let lost else { return }
    let error = RemoteError(address: self.remote.address, kind: lost.kind)
    self.report(.didDisconnect(time: Clock.now, error: "\(error)"), in: context)
    context.schedule(after: lost.pause) { context in
      guard self.state.withLock({ $0.number == number && !$0.isOver }) else { return }
      self.connect(in: context)
    }
  }

  /// Cuts the connection if the server gives no sign for too long.
  private func watch(_ number: Int, in context: Context) {
    let watch = self.state.withLock { state in
      state.watch += 1
      return state.watch
    }
    self.listen(to: number, watch, in: context)
  }

  private func listen(to number: Int, _ watch: Int, in context: Context) {
    let left = self.state.withLock { state -> Int64? in
      guard state.isCurrent(number), state.watch == watch else { return nil }
      return state.lastSign + state.patience - Clock.uptime
    }
    guard let left else { return }
    guard left > 0 else {
      let patience = self.state.withLock(\.patience)
      return self.cut(number, .silent(milliseconds: patience))
    }
    context.schedule(after: Int32(clamping: left)) { self.listen(to: number, watch, in: $0) }
  }

  private func cut(_ number: Int, _ reason: RemoteError.Kind) {
    let call = self.state.withLock { state -> FetchCall? in
      guard state.isCurrent(number) else { return nil }
      (state.isLive, state.reason) = (false, reason)
      return state.call
    }
    call?.cancel()
  }

  private func report(_ action: AnimalsAction.Data.Connection, in context: Context) {
    // This fails only if the store was closed, and then nobody wants to know.
    try? context.dispatch(.data(.connection(action)))
  }
}

// MARK: Receiving

extension ChangeFollower {
  private func receive(_ event: FetchCall.Event, of number: Int, in context: Context) {
    switch event {
    case .response(let response): self.begin(response, of: number, in: context)
    case .part(let bytes):
      let (events, hasOverflowed) = self.state.withLock { state in
        guard state.isCurrent(number) else { return ([EventStream.Event](), false) }
        (state.lastSign, state.pause) = (Clock.uptime, Self.shortestPause)
        return (state.events.read(bytes), state.events.hasOverflowed)
      }
      for event in events {
        context.perform { try self.take(event, of: number, in: $0) }
      }
      if hasOverflowed {
        self.cut(number, .noAnswer("an event of \(EventStream.limit) bytes or less"))
      }
    case .end(nil): context.schedule { self.lost(number, .ended, in: $0) }
    case .end(let error?): context.schedule { self.lost(number, .noResponse(error), in: $0) }
    }
  }

  private func begin(_ response: FetchResponse, of number: Int, in context: Context) {
    guard response.status == 200 else { return self.cut(number, .refused(response)) }
    let type = response.header("Content-Type") ?? "text/event-stream"
    guard type.prefix(while: { $0 != ";" && $0 != " " }).lowercased() == "text/event-stream" else {
      return self.cut(number, .notEvents(type))
    }
    let heartbeat = response.header("Animals-Heartbeat").flatMap { Int64($0) }
    let continues = self.state.withLock { state in
      guard state.isCurrent(number) else { return false }
      state.lastSign = Clock.uptime
      state.heartbeat = heartbeat.map { $0.clamped(to: Self.heartbeats) } ?? Self.defaultHeartbeat
      return state.lastId != nil
    }
    context.schedule { self.watch(number, in: $0) }
    // Otherwise the server first says to fetch everything, and there is more to do until then.
    if continues { context.schedule { self.connected(number, in: $0) } }
  }
}

extension Int64 {
  fileprivate func clamped(to range: ClosedRange<Int64>) -> Int64 {
    Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
  }
}

// MARK: Changes

extension ChangeFollower {
  private func take(
    _ event: EventStream.Event, of number: Int, in context: Context
  ) throws {
    guard self.isCurrent(number) else { return }
    do {
      switch event.name {
      case "reset": try self.fetchAll(of: number, in: context)
      case "change": try self.apply(event, in: context)
      default: return
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

  private func fetchFailed(of number: Int, in context: Context) throws {
    let state = try context.state
    guard self.isCurrent(number), state.hasFailedFetch else { return }
    try self.remote.fetchAll(in: context)
  }
}

extension AnimalsState {
  fileprivate var hasFailedFetch: Bool {
    [self.categories.status, self.animals.status].contains { status in
      if case .failure = status { true } else { false }
    }
  }
}
