/// Parses server-sent events from bytes as they arrive
/// ([HTML, section 9.2](https://html.spec.whatwg.org/multipage/server-sent-events.html)).
public struct ServerSentEventParser: Sendable {
  public struct Event: Hashable, Sendable {
    /// `message` by default.
    public let name: String
    public let data: String
    /// The last id that the server sent, to resume from; empty if it sent none.
    public let id: String
  }

  private var line: [UInt8] = []
  private var endsInReturn = false
  private var isAtStart = true

  private var name = ""
  private var data: [String] = []
  private var id = ""
  private var size = 0

  /// Whether an event was longer than ``limit``. Further bytes are ignored.
  public private(set) var hasOverflowed = false

  /// The limit of an event, in bytes.
  public static var limit: Int { 64 << 20 }

  public init() {}

  /// Parses the next bytes, which may end anywhere in an event.
  ///
  /// - Returns: The events that are now complete.
  public mutating func read(_ bytes: [UInt8]) -> [Event] {
    let (newline, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
    var events: [Event] = []
    var next = 0
    while next < bytes.count, !self.hasOverflowed {
      let start = next
      while next < bytes.count, bytes[next] != newline, bytes[next] != carriageReturn { next += 1 }
      if start < next {
        self.line.append(contentsOf: bytes[start..<next])
        self.size += next - start
        self.hasOverflowed = self.size > Self.limit
        self.endsInReturn = false
        continue
      }
      let isSecondHalf = self.endsInReturn && bytes[next] == newline
      self.endsInReturn = bytes[next] == carriageReturn
      next += 1
      if !isSecondHalf, let event = self.endLine() { events.append(event) }
    }
    return events
  }

  private mutating func endLine() -> Event? {
    defer { self.line = [] }
    if self.isAtStart, self.line.starts(with: [0xEF, 0xBB, 0xBF]) {
      self.line.removeFirst(3)
    }
    self.isAtStart = false
    guard !self.line.isEmpty else { return self.endEvent() }
    let parts = self.line.split(
      separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
    var value = parts.count > 1 ? parts[1] : []
    if value.first == UInt8(ascii: " ") { value.removeFirst() }
    self.take(parts[0], String(decoding: value, as: UTF8.self))
    return nil
  }

  private mutating func take(_ field: ArraySlice<UInt8>, _ value: String) {
    switch String(decoding: field, as: UTF8.self) {
    case "event": self.name = value
    case "data": self.data.append(value)
    case "id" where !value.utf8.contains(0): self.id = value
    default: break
    }
  }

  private mutating func endEvent() -> Event? {
    defer { (self.name, self.data, self.size) = ("", [], 0) }
    guard !self.data.isEmpty else { return nil }
    return Event(
      name: self.name.isEmpty ? "message" : self.name, data: self.data.joined(separator: "\n"),
      id: self.id)
  }
}
