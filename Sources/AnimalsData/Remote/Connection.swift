/// What a store knows of its connection to a server, by which it hears what others change.
public enum Connection: Codable, Hashable, Sendable {
  /// The store connects for the first time, or fetches again what may have changed.
  case connecting

  /// The state is up to date as far as the server has told, and changes of others arrive.
  case following

  /// The connection ended, or there was none to begin with: what is shown may be old.
  ///
  /// `since` is the time of that, in milliseconds since 1970.
  case lost(since: Int64, error: String)

  /// The connection was lost and the store connects again. The error is that of the last attempt.
  case retrying(since: Int64, error: String)
}

extension Connection {
  /// Since when the connection is lost.
  var lostSince: Int64? {
    switch self {
    case .connecting, .following: nil
    case .lost(let since, _), .retrying(let since, _): since
    }
  }
}

extension AnimalsState {
  mutating func reduce(_ action: AnimalsAction.Data.Connection) {
    switch action {
    case .didBeginConnecting:
      switch self.connection {
      case .lost(let since, let error), .retrying(let since, let error):
        self.connection = .retrying(since: since, error: error)
      case .connecting, .following, nil: self.connection = .connecting
      }
    case .didConnect: self.connection = .following
    case .didDisconnect(let time, let error):
      self.connection = .lost(since: self.connection?.lostSince ?? time, error: error)
    case .didStop: self.connection = nil
    }
  }
}
