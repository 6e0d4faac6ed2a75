import ImmutableJSON

/// Decodes the JSON actions of a domain.
///
/// `{"type": "ui/editor/didTapAdd", "payload": {"name": "Eagle"}}` is checked against the
/// descriptions, and then decoded in the form of Swift's synthesized `Codable`:
/// `{"ui": {"_0": {"editor": {"_0": {"didTapAdd": {"name": "Eagle"}}}}}}`.
struct ActionDecoder<Action: Decodable & Sendable>: Sendable {
  /// An action type, prepared once for all actions of the type.
  private struct ActionType: Sendable {
    let description: ActionDescription

    /// The cases of the enum around a payload.
    let cases: Nesting

    /// The action; `nil` if the type has a payload.
    let constant: Action?
  }

  private let types: [String: ActionType]

  init(_ descriptions: [ActionDescription]) {
    let types = descriptions.map { description in
      let cases = Self.cases(description.type)
      let constant: Action? =
        description.payload == nil ? try? cases.value(around: [:]).decode() : nil
      return ActionType(description: description, cases: cases, constant: constant)
    }
    self.types = Dictionary(types.map { ($0.description.type, $0) }) { first, _ in first }
  }

  func action(from value: Value) throws(EngineError) -> Action {
    let envelope = try ActionEnvelope(value, example: self.types.keys.min() ?? "…")
    guard let type = self.types[envelope.type] else {
      let types = Array(self.types.keys)
      throw EngineError(
        .invalidAction,
        "unknown action type \(quoted(envelope.type))\(suggestion(envelope.type, types))")
    }
    let description = type.description
    let payload = try self.payload(envelope.payload, of: description)
    if let constant = type.constant {
      return constant
    }
    do {
      return try type.cases.value(around: payload).decode()
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
    let payload = payload ?? [:]
    do {
      try properties.check(payload, "payload")
    } catch {
      throw EngineError(.invalidAction, "\(quoted(description.type)): \(error)")
    }
    return payload
  }

  /// Returns an action in the form of Swift's synthesized `Codable`.
  static func nested(_ type: String, _ payload: Value) -> Value {
    self.cases(type).value(around: payload)
  }

  private static func cases(_ type: String) -> Nesting {
    let cases = type.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    return Nesting(Array(cases.map { [$0] }.joined(separator: ["_0"])))
  }
}
