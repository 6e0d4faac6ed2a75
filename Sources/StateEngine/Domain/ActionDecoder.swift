import ImmutableJSON

/// Decodes the JSON actions of a domain.
///
/// `{"type": "ui/editor/didTapAdd", "payload": {"name": "Eagle"}}` is checked against the
/// descriptions, and then decoded in the form of Swift's synthesized `Codable`:
/// `{"ui": {"_0": {"editor": {"_0": {"didTapAdd": {"name": "Eagle"}}}}}}`. An action of an
/// ``ActionGroup`` is decoded as a value of the group: `{"didTapAdd": {"name": "Eagle"}}`.
struct ActionDecoder<Action: Decodable & Sendable>: Sendable {
  /// An action type, prepared once for all actions of the type.
  private struct ActionType: Sendable {
    let description: ActionDescription

    /// The cases around a payload, from the innermost group on.
    let cases: Nesting

    /// The number of steps of a coding path that lead to the payload.
    let steps: Int

    /// Decodes the cases.
    let decode: @Sendable (Value) throws -> Action

    /// The action; `nil` if the type has a payload.
    let constant: Action?

    init(_ description: ActionDescription, _ groups: [ActionGroup<Action>]) {
      let innermost = groups.innermost(of: description.type)
      let rest = innermost?.rest ?? description.type[...]
      let decode: @Sendable (Value) throws -> Action =
        if let innermost { innermost.group.decode } else { { try $0.decode(Action.self) } }
      self.description = description
      self.cases = ActionDecoder.cases(rest)
      self.steps = ActionDecoder.steps(rest)
      self.decode = decode
      self.constant =
        description.payload == nil ? try? decode(self.cases.value(around: [:])) : nil
    }
  }

  private let types: [StringKey: ActionType]

  init(_ descriptions: [ActionDescription], _ groups: [ActionGroup<Action>] = []) {
    let types = descriptions.map { ActionType($0, groups) }
    self.types = Dictionary(types.map { (StringKey($0.description.type), $0) }) { first, _ in first
    }
  }

  func action(from value: Value) throws(EngineError) -> Action {
    let envelope = try ActionEnvelope(value, example: self.types.keys.min()?.text ?? "…")
    guard let type = self.types[StringKey(envelope.type)] else {
      let types = self.types.keys.map(\.text)
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
      return try type.decode(type.cases.value(around: payload))
    } catch {
      let reason = reason(error, in: "payload", after: type.steps)
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

  /// Returns an action, or a value of a group of actions, in the form of Swift's synthesized
  /// `Codable`.
  static func nested(_ type: some StringProtocol, _ payload: Value) -> Value {
    self.cases(type).value(around: payload)
  }

  private static func cases(_ type: some StringProtocol) -> Nesting {
    let cases = type.split(separator: "/", omittingEmptySubsequences: false).map { String($0) }
    return Nesting(Array(cases.map { [$0] }.joined(separator: ["_0"])))
  }

  /// The number of steps to the payload: a case and `_0` for each group, and the last case.
  static func steps(_ type: some StringProtocol) -> Int {
    2 * type.split(separator: "/", omittingEmptySubsequences: false).count - 1
  }
}
