import AnimalsData
import Hummingbird
import ImmutableJSON

/// What readers of changes are sent, as text of `text/event-stream`.
///
/// Its id is the number of a change, by which a reader continues where it was.
enum ServerSentEvent {
  /// What changed. Canonical JSON has no line breaks, as the format wants it.
  case change(number: Int, RemoteResponse.Mutation)

  /// Which changes there were is not known any more: the reader has to fetch everything.
  case reset(number: Int)

  /// Keeps a connection that has nothing to tell.
  case comment(String)

  func write(to buffer: inout ByteBuffer) throws {
    switch self {
    case .change(let number, let change):
      buffer.writeString("id: \(number)\nevent: change\ndata: ")
      buffer.writeBytes(try Value(encoding: change).utf8JSON)
      buffer.writeString("\n\n")
    case .reset(let number):
      buffer.writeString("id: \(number)\nevent: reset\ndata: {}\n\n")
    case .comment(let text):
      buffer.writeString(": \(text)\n\n")
    }
  }
}

extension ByteBuffer {
  /// Events, one behind the other.
  init(events: some Sequence<ServerSentEvent>) throws {
    self.init()
    for event in events {
      try event.write(to: &self)
    }
  }
}
