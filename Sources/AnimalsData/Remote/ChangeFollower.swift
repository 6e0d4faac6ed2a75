import StateEngine
import Threading

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

  struct State {
    /// The number of the host's function that the connection uses; `nil` without a function.
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

    var events = ServerSentEventParser()
    /// Of the last change that was taken over.
    var lastId: String?
    /// How many events that say to fetch everything wait to be taken.
    var resets = 0

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
  let state = Mutex(State())

  init(_ remote: RemoteStore) {
    self.remote = remote
  }
}

extension ChangeFollower {
  // In milliseconds: how often the server gives a sign unless it says so, what it may say, and how long
  // to wait before the next attempt to connect, which is doubled each time.
  static var defaultHeartbeat: Int64 { 10_000 }
  static var heartbeats: ClosedRange<Int64> { 10...3_600_000 }
  static var shortestPause: Int32 { 100 }
  static var longestPause: Int32 { 10_000 }
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
