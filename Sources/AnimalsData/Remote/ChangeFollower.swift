import StateEngine
import Threading

/// Applies the changes that other clients make on a server of animals, by `GET /animals/changes`.
///
/// It connects when the host has set a function that performs requests, reconnects when the host
/// sets another one, and stops when the host removes it. After a disconnection it resumes after the
/// last change that it applied. It dispatches the status of the connection, which the state holds
/// as a ``Connection``.
///
/// The connection is monitored concurrently with effects, so its end is noticed even while an
/// effect waits for the server. Changes are applied as effects, in order with the others: a
/// response that the server sent before a change is never dispatched after it.
final class ChangeFollower: Sendable {
  typealias Context = EffectContext<AnimalsState, AnimalsAction>

  struct State {
    /// The number of the host function that performs the connection's request; `nil` without one.
    var hostGeneration: Int?

    /// The number of the connection, to recognize events of previous ones.
    var number = 0
    var call: FetchTask?
    /// Whether events of this connection are accepted.
    var isLive = false
    /// Whether the store was notified that it is up to date.
    var isFollowing = false
    /// Why this side disconnected.
    var reason: RemoteError.Kind?

    var events = ServerSentEventParser()
    /// The id of the last change that was applied.
    var lastId: String?
    /// How many received `reset` events have not been handled.
    var pendingResets = 0

    var heartbeat = ChangeFollower.defaultHeartbeat
    /// When the server last sent something, and the number of the current watch.
    var lastReceived: Int64 = 0
    var watch = 0

    var retryDelay = ChangeFollower.minimumRetryDelay
    var hasEnded = false

    /// Whether events of a connection are still accepted.
    func isCurrent(_ number: Int) -> Bool {
      self.number == number && self.isLive && !self.hasEnded
    }

    /// How long the server may be silent, in milliseconds: two and a half heartbeats.
    var silenceLimit: Int64 {
      self.heartbeat * 5 / 2
    }
  }

  let remote: RemoteStore
  let state = Mutex(State())

  init(_ remote: RemoteStore) {
    self.remote = remote
  }
}

extension ChangeFollower {
  // In milliseconds. The server announces its heartbeat. The retry delay is doubled each time.
  static var defaultHeartbeat: Int64 { 10_000 }
  static var heartbeatRange: ClosedRange<Int64> { 10...3_600_000 }
  static var minimumRetryDelay: Int32 { 100 }
  static var maximumRetryDelay: Int32 { 10_000 }
}

extension ChangeFollower {
  func begin(in context: Context) {
    self.remote.fetcher.onHostChange { [weak self] in
      guard let self else { return }
      context.schedule { self.connectThroughHost(in: $0) }
    }
    if self.remote.fetcher.hostGeneration != nil {
      context.schedule { self.connectThroughHost(in: $0) }
    }
  }

  func end() {
    let call = self.state.withLock { state in
      state.hasEnded = true
      return state.call.take()
    }
    call?.cancel()
  }
}
