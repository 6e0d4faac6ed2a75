import ImmutableJSON
import StateEngine

/// The progress of a fetch or a change.
public enum Status: Codable, Hashable, Sendable {
  case empty
  case waiting
  case success
  case failure(error: String)
}

extension Status {
  /// The failure with this message, which is truncated if it is longer than 1,000 code points: it
  /// can come from a server or from the program, and the state keeps it.
  package init(failure message: String) {
    self = .failure(error: message.truncatedMessage)
  }

  /// Whether both have the same JSON: text is compared by its bytes.
  public static func == (left: Status, right: Status) -> Bool {
    switch (left, right) {
    case (.empty, .empty), (.waiting, .waiting), (.success, .success): true
    case (.failure(let error), .failure(let other)): error.hasSameBytes(as: other)
    case (.empty, _), (.waiting, _), (.success, _), (.failure, _): false
    }
  }
}

extension String {
  /// This message as a state keeps it.
  package var truncatedMessage: String {
    self.truncated(to: Self.maximumMessageLength)
  }

  /// The maximum length of a message in a state, in code points.
  package static var maximumMessageLength: Int { 1_000 }
}

extension Schema {
  /// The shape of a ``Status``.
  package static var status: Schema {
    .variants([
      .init("empty", [], "Nothing was requested."),
      .init("waiting", [], "In progress."),
      .init("success", [], "It succeeded."),
      .init("failure", [.reason], "It failed."),
    ])
  }
}

extension Schema.Property {
  /// The result of an operation: its output, or why it failed.
  package static func result(_ success: [Schema.Property]) -> Schema.Property {
    .init(
      "result",
      .variants([
        .init("success", success, "It succeeded."),
        .init("failure", [.reason], "It failed."),
      ]), "The result.")
  }

  /// The reason for a failure, a message for people.
  package static var reason: Schema.Property {
    .init("error", .string, "The reason; a state keeps its first 1,000 characters.")
  }
}
