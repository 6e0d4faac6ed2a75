import ImmutableJSON

/// Turns JSON actions into the actions of a domain.
///
/// `{"type": "ui/editor/didTapAdd", "payload": {"name": "Eagle"}}` is checked against the
/// descriptions and decoded as what Swift's synthesised `Codable` writes for the same action:
/// `{"ui": {"_0": {"editor": {"_0": {"didTapAdd": {"name": "Eagle"}}}}}}`.
struct ActionReader<Action: Decodable & Sendable>: Sendable {
  private let descriptions: [String: ActionDescription]

  /// The actions without payload, which are decoded once.
  private let constants: [String: Action]

  init(_ descriptions: [ActionDescription]) {
    self.descriptions = Dictionary(descriptions.map { ($0.type, $0) }) { first, _ in first }
    self.constants = self.descriptions.compactMapValues { description in
      description.payload == nil ? try? Self.nested(description.type, [:]).decode() : nil
    }
  }

  func action(from value: Value) throws(EngineError) -> Action {
    guard case .object(let members) = value else {
      throw EngineError(
        .invalidAction,
        "an action is an object such as \(self.example), not \(value.kindWithArticle)")
    }
    let known = ["type", "payload", "meta"]
    for (key, _) in members where !known.contains(key) {
      throw EngineError(
        .invalidAction,
        "an action has no member \(quoted(key)); its members are \"type\", \"payload\" and "
          + "\"meta\"")
    }
    let description = try self.description(of: members["type"])
    let payload = try self.payload(members["payload"], of: description)
    if let constant = self.constants[description.type] {
      return constant
    }
    do {
      return try Self.nested(description.type, payload).decode()
    } catch {
      throw EngineError(.invalidAction, "\(quoted(description.type)): \(reason(error))")
    }
  }

  private var example: String {
    let type = self.descriptions.keys.min() ?? "…"
    return "{\"type\":\(quoted(type))}"
  }

  private func description(of type: Value?) throws(EngineError) -> ActionDescription {
    switch type {
    case .string(let type):
      guard let description = self.descriptions[type] else {
        throw EngineError(
          .invalidAction,
          "unknown action type \(quoted(type))\(suggestion(type, Array(self.descriptions.keys)))")
      }
      return description
    case nil:
      throw EngineError(
        .invalidAction, "the action has no \"type\"; an action looks like \(self.example)")
    case let other?:
      throw EngineError(
        .invalidAction, "the \"type\" of an action is a string, not \(other.kindWithArticle)")
    }
  }

  private func payload(
    _ payload: Value?, of description: ActionDescription
  ) throws(EngineError) -> Value {
    let type = quoted(description.type)
    guard let properties = description.payload else {
      if payload != nil {
        throw EngineError(.invalidAction, "\(type) takes no payload; leave out \"payload\"")
      }
      return [:]
    }
    do {
      try Schema.object(properties).check(payload ?? [:], "payload")
    } catch {
      throw EngineError(.invalidAction, "\(type): \(error)")
    }
    return payload ?? [:]
  }

  private static func nested(_ type: String, _ payload: Value) -> Value {
    var cases = type.split(separator: "/", omittingEmptySubsequences: false).reversed()[...]
    var value: Value = [String(cases.removeFirst()): payload]
    for name in cases {
      value = [String(name): ["_0": value]]
    }
    return value
  }
}

/// What an error says, to be put into a message.
func reason(_ error: any Error) -> String {
  guard let error = error as? DecodingError else { return "\(error)" }
  let (context, key): (DecodingError.Context, (any CodingKey)?) =
    switch error {
    case .typeMismatch(_, let context), .valueNotFound(_, let context): (context, nil)
    case .keyNotFound(let key, let context): (context, key)
    case .dataCorrupted(let context): (context, nil)
    @unknown default: (.init(codingPath: [], debugDescription: "\(error)"), nil)
    }
  let path = context.codingPath + (key.map { [$0] } ?? [])
  return "\(JSONPointer(path.map(\.stringValue))): \(context.debugDescription)"
}
