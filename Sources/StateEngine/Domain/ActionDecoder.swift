import ImmutableJSON

/// Turns JSON actions into the actions of a domain.
///
/// `{"type": "ui/editor/didTapAdd", "payload": {"name": "Eagle"}}` is checked against the
/// descriptions and decoded as what Swift's synthesised `Codable` writes for the same action:
/// `{"ui": {"_0": {"editor": {"_0": {"didTapAdd": {"name": "Eagle"}}}}}}`.
struct ActionDecoder<Action: Decodable & Sendable>: Sendable {
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
    let envelope = try ActionEnvelope(value, example: self.descriptions.keys.min() ?? "…")
    guard let description = self.descriptions[envelope.type] else {
      let types = Array(self.descriptions.keys)
      throw EngineError(
        .invalidAction,
        "unknown action type \(quoted(envelope.type))\(suggestion(envelope.type, types))")
    }
    let payload = try self.payload(envelope.payload, of: description)
    if let constant = self.constants[description.type] {
      return constant
    }
    do {
      return try Self.nested(description.type, payload).decode()
    } catch {
      throw EngineError(.invalidAction, "\(quoted(description.type)): \(reason(error))")
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
package func reason(_ error: any Error) -> String {
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
