import ImmutableJSON
import ProductSupport

/// The status of a store's connection to a server, through which it receives changes by other
/// clients.
public enum Connection: Codable, Hashable, Sendable {
  /// The store connects, and no connection was lost before; or it fetches everything again.
  case connecting

  /// The store is connected. The server's changes, also those that the store has missed, are
  /// applied after the effects in progress.
  case following

  /// The connection was lost, or could not be established. The state may be out of date.
  ///
  /// `since` is the time of the loss, in milliseconds since 1970.
  case lost(since: Int64, error: String)

  /// The connection was lost and the store reconnects. The error is that of the last attempt.
  case retrying(since: Int64, error: String)
}

extension Connection {
  /// Whether both have the same JSON: text is compared by its bytes.
  public static func == (left: Connection, right: Connection) -> Bool {
    switch (left, right) {
    case (.connecting, .connecting), (.following, .following): true
    case (.lost(let since, let error), .lost(let time, let other)),
      (.retrying(let since, let error), .retrying(let time, let other)):
      since == time && error.hasSameBytes(as: other)
    case (.connecting, _), (.following, _), (.lost, _), (.retrying, _): false
    }
  }

  /// When the connection was lost, in milliseconds since 1970; `nil` unless it is lost.
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
      self.connection = .lost(
        since: self.connection?.lostSince ?? time, error: error.truncatedMessage)
    case .didStop: self.connection = nil
    }
  }
}
