import ImmutableJSON

/// Decodes the JSON actions of a domain.
///
/// `{"type": "ui/editor/didTapAdd", "payload": {"name": "Eagle"}}` is checked against the
/// descriptions, and then decoded in the form of Swift's synthesized `Codable`:
/// `{"ui": {"_0": {"editor": {"_0": {"didTapAdd": {"name": "Eagle"}}}}}}`.
struct ActionDecoder<Action: Decodable & Sendable>: Sendable {
  private let descriptions: [String: ActionDescription]

  /// The actions without payload, decoded once.
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
    if description.payload == nil, let constant = self.constants[description.type] {
      return constant
    }
    do {
      return try Self.nested(description.type, payload).decode()
    } catch {
      let reason = reason(error, in: "payload", after: description.caseSteps)
      throw EngineError(.invalidAction, "\(quoted(description.type)): \(reason)")
    }
  }

  private func payload(
    _ payload: Value?, of description: ActionDescription
  ) throws(EngineError) -> Value {
    guard let properties = description.payload else {
      if payload != nil {
        throw EngineError(
          .invalidAction, "\(quoted(description.type)) takes no payload; leave out \"payload\"")
      }
      return [:]
    }
    do {
      try Schema.object(properties).check(payload ?? [:], "payload")
    } catch {
      throw EngineError(.invalidAction, "\(quoted(description.type)): \(error)")
    }
    return payload ?? [:]
  }

  /// Returns an action in the form of Swift's synthesized `Codable`.
  static func nested(_ type: String, _ payload: Value) -> Value {
    var cases = type.split(separator: "/", omittingEmptySubsequences: false).reversed()[...]
    var value: Value = [String(cases.removeFirst()): payload]
    for name in cases {
      value = [String(name): ["_0": value]]
    }
    return value
  }
}
