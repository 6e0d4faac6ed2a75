import AnimalsData
import Hummingbird
import ImmutableJSON

/// An event for readers of changes, in the format `text/event-stream`.
///
/// The id of an event is the number of a change, from which a reader can resume.
enum ServerSentEvent {
  /// A change. Canonical JSON has no line breaks, as the format requires.
  case change(number: Int, RemoteResponse.Mutation)

  /// The changes since the reader's last one are unknown: it must fetch everything.
  case reset(number: Int)

  /// Keeps an idle connection open.
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
  /// Creates a buffer with the text of events.
  init(events: some Sequence<ServerSentEvent>) throws {
    self.init()
    for event in events {
      try event.write(to: &self)
    }
  }
}
