import StateEngine
import Threading

/// Applies the changes that other clients make on an animals server, by `GET /animals/changes`.
///
/// It connects when the program has set a function that performs requests, reconnects when the
/// program sets another one, and stops when the program removes it. After a disconnection it
/// resumes after the last change that it applied. It dispatches the status of the connection, which
/// the state holds as a ``Connection``.
///
/// The connection is monitored concurrently with effects, so its loss is detected even while an
/// effect waits for the server. Changes are applied as effects, in order with other effects: a
/// response that the server sent before a change is never dispatched after it.
final class ChangeFollower: Sendable {
  typealias Context = EffectContext<AnimalsState, AnimalsAction>

  struct State {
    /// The generation of the program's fetch function that this follower uses; `nil` without one.
    var functionGeneration: Int?

    /// The number of the connection. Events of connections with other numbers are ignored.
    var connectionNumber = 0
    var task: FetchTask?
    /// Whether events of this connection are accepted.
    var isLive = false {
      didSet { self.backlog.removeAll() }
    }
    /// Whether the state of the store says that it is up to date.
    var isFollowing = false
    /// Why this side disconnected.
    var reason: RemoteError.Kind?

    var parser = ServerSentEventParser()
    /// The id of the last change that was applied.
    var lastId: String?
    /// The events of this connection that were received but not handled yet.
    var backlog = EventBacklog()
    /// The number of events that were dropped because the backlog was full.
    var droppedEvents = 0

    var heartbeat = ChangeFollower.defaultHeartbeat
    /// When the server last sent something.
    var lastReceived: Int64 = 0
    /// The number of the timer that detects a silent server. A timer with an older number has been
    /// replaced.
    var silenceTimer = 0

    var retryDelay = ChangeFollower.minimumRetryDelay
    var hasEnded = false

    /// Whether events of a connection are still accepted.
    func isCurrent(_ connection: Int) -> Bool {
      self.connectionNumber == connection && self.isLive && !self.hasEnded
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
    self.remote.fetcher.onFunctionChange { [weak self] in
      guard let self else { return }
      context.schedule { self.connectThroughFunction(in: $0) }
    }
    if self.remote.fetcher.functionGeneration != nil {
      context.schedule { self.connectThroughFunction(in: $0) }
    }
  }

  func end() {
    let task = self.state.withLock { state in
      (state.hasEnded, state.isLive) = (true, false)
      return state.task.take()
    }
    task?.cancel()
  }
}
