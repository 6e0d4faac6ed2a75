import StateEngine
import Threading

/// The events of a server that wait until they are applied, one at a time.
///
/// A server may send events faster than the store applies them, for example while an effect waits
/// for a response. So their number and their size are limited.
struct EventBacklog {
  typealias Event = ServerSentEventParser.Event

  private var events = Queue<Event>()

  /// The bytes of the text of all events.
  private var size = 0

  /// Whether an effect applies the events.
  private var handling = Claim()
}

extension EventBacklog {
  /// More than the changes that a server sends to a client that was away.
  static var countLimit: Int { 4_096 }

  /// At least the size of one event.
  static var sizeLimit: Int { ServerSentEventParser.limit }

  var count: Int {
    self.events.count
  }

  /// Adds an event, unless it is of an unknown kind.
  ///
  /// - Returns: `false` if the event exceeds a limit.
  mutating func append(_ event: Event) -> Bool {
    guard ["reset", "change"].contains(event.name) else { return true }
    // A reset fetches everything, also what the events before it changed.
    if event.name == "reset" { self.removeAll() }
    guard self.count < Self.countLimit, event.size <= Self.sizeLimit - self.size else {
      return false
    }
    self.events.append(event)
    self.size += event.size
    return true
  }

  mutating func popFirst() -> Event? {
    guard let event = self.events.popFirst() else { return nil }
    self.size -= event.size
    return event
  }

  mutating func removeAll() {
    (self.events, self.size) = (Queue(), 0)
  }

  /// - Returns: Whether the caller must begin the effect that applies the events.
  mutating func beginHandling() -> Bool {
    !self.events.isEmpty && self.handling.take()
  }

  /// - Returns: Whether there are more events. If not, another effect may begin.
  mutating func continueHandling() -> Bool {
    if self.events.isEmpty { self.handling.release() }
    return !self.events.isEmpty
  }
}

extension ServerSentEventParser.Event {
  fileprivate var size: Int {
    self.name.utf8.count + self.data.utf8.count + self.id.utf8.count
  }
}
