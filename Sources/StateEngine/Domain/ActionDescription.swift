import ImmutableJSON

/// The description of an action of a domain.
public struct ActionDescription: Sendable {
  /// The path of enum cases, joined by `/`.
  public let type: String

  /// What happened, in a sentence.
  public let summary: String

  /// The associated values by label; `nil` if the case has no associated values.
  public let payload: [Schema.Property]?

  public init(_ type: String, _ summary: String, payload: [Schema.Property]? = nil) {
    self.type = type
    self.summary = summary
    self.payload = payload
  }
}

extension ActionDescription {
  var json: Value {
    var members: [(String, Value)] = [
      ("type", .string(self.type)), ("summary", .string(self.summary)),
    ]
    if let payload {
      members.append(("payload", Schema.object(payload).json))
    }
    return .object(JSONObject(members))
  }
}
