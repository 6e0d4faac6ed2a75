import ImmutableJSON

/// Decodes the JSON actions of a domain.
///
/// `{"type": "ui/editor/didTapAdd", "payload": {"name": "Eagle"}}` is checked against the
/// descriptions, and then decoded in the form of Swift's synthesized `Codable`:
/// `{"ui": {"_0": {"editor": {"_0": {"didTapAdd": {"name": "Eagle"}}}}}}`. An action of an
/// ``ActionGroup`` is decoded as a value of the group: `{"didTapAdd": {"name": "Eagle"}}`.
struct ActionDecoder<Action: Codable & Sendable>: Sendable {
  /// An action type, prepared once for all actions of the type.
  private final class ActionType: Sendable {
    // Not the description: generic code would look up its type for each action.
    let name: String
    let payload: [Schema.Property]?

    /// The number of steps of a coding path that lead to the payload.
    let steps: Int

    /// Returns the action with a payload.
    let decode: @Sendable (Value) throws -> Action

    init(_ description: ActionDescription<Action>, _ groups: [ActionGroup<Action>]) {
      let innermost = groups.innermost(of: description.type)
      let rest = innermost?.rest ?? description.type[...]
      let decode: @Sendable (Value) throws -> Action =
        if let innermost { innermost.group.decode } else { { try $0.decode(Action.self) } }
      (self.name, self.payload) = (description.type, description.payload)
      let path = ActionDecoder.path(rest)
      // The cases around a payload, from the innermost group on.
      let cases = Nesting(path)
      self.steps = path.count
      self.decode =
        if description.payload == nil, let constant = try? decode(cases.value(around: [:])) {
          { _ in constant }
        } else {
          { try decode(cases.value(around: $0)) }
        }
    }
  }

  private let types: [ActionType]
  /// The indices of the types. Generic code would look up the type of a dictionary of the types.
  private let indices: [StringKey: Int]

  init(_ descriptions: [ActionDescription<Action>], _ groups: [ActionGroup<Action>] = []) {
    self.types = descriptions.map { ActionType($0, groups) }
    self.indices = Dictionary(
      descriptions.enumerated().map { (StringKey($1.type), $0) }
    ) { first, _ in first }
  }

  func action(from value: Value) throws(EngineError) -> Action {
    let envelope = try ActionEnvelope(value, example: self.indices.keys.min()?.text ?? "…")
    guard let index = self.indices[StringKey(envelope.type)] else {
      throw self.unknownType(envelope.type)
    }
    let type = self.types[index]
    let payload = try self.payload(envelope.payload, of: type)
    do {
      return try type.decode(payload)
    } catch {
      let reason = reason(error, in: "payload", after: type.steps)
      throw EngineError(.invalidAction, "\(quoted(type.name)): \(reason)")
    }
  }

  private func unknownType(_ type: String) -> EngineError {
    let remedy =
      Self.isCase(type)
      ? ": the Action of the domain has this case, but its `actions` do not describe it; add its "
        + "description, or let an effect of the domain dispatch it"
      : suggestion(type, self.indices.keys.map(\.text))
    return EngineError(.invalidAction, "unknown action type \(quoted(type))\(remedy)")
  }

  /// Whether the enum of actions has a case for a type.
  ///
  /// Swift has no list of the cases of an enum with associated values. So this decodes the type
  /// without a payload: if the case exists, the error is about a value missing inside it. The
  /// payload of the caller is not decoded, because no description has checked it.
  private static func isCase(_ type: String) -> Bool {
    guard type.utf8.count(where: { $0 == UInt8(ascii: "/") }) <= self.maximumGroups else {
      return false
    }
    let steps = self.path(type)
    do {
      let action = try Nesting(steps).value(around: [:]).decode(Action.self)
      return try ActionEncoder.json(action)["type"] == .string(type)
    } catch let error as DecodingError {
      // If a value without a label is missing, the case is a group, or has no labeled payload.
      return error.path.starts(with: steps) && error.path.dropFirst(steps.count).first != "_0"
    } catch {
      return false
    }
  }

  /// The maximum number of groups for ``isCase(_:)``. The type is a caller's, and an enum may
  /// contain itself.
  private static var maximumGroups: Int { 16 }

  private func payload(
    _ payload: Value?, of type: ActionType
  ) throws(EngineError) -> Value {
    guard let properties = type.payload else {
      if payload != nil {
        throw EngineError(
          .invalidAction, "\(quoted(type.name)) takes no payload; leave out \"payload\"")
      }
      return [:]
    }
    let payload = payload ?? [:]
    do {
      try properties.check(payload, "payload")
    } catch {
      throw EngineError(.invalidAction, "\(quoted(type.name)): \(error)")
    }
    return payload
  }

  /// Returns an action, or a value of a group of actions, in the form of Swift's synthesized
  /// `Codable`.
  static func nested(_ type: some StringProtocol, _ payload: Value) -> Value {
    Nesting(self.path(type)).value(around: payload)
  }

  /// The steps to the payload: a case and `_0` for each group, and the last case.
  static func path(_ type: some StringProtocol) -> [String] {
    let cases = type.split(separator: "/", omittingEmptySubsequences: false).map { String($0) }
    return Array(cases.map { [$0] }.joined(separator: ["_0"]))
  }
}

/// Encodes the actions of a domain as JSON, in the form that ``ActionDecoder`` decodes.
enum ActionEncoder {
  /// Returns an action as `{"type": "ui/editor/didTapAdd", "payload": {"name": "Eagle"}}`. Swift's
  /// synthesized `Codable` encodes it as
  /// `{"ui": {"_0": {"editor": {"_0": {"didTapAdd": {"name": "Eagle"}}}}}}`.
  static func json(_ action: some Encodable) throws -> Value {
    try self.json(action, as: Value(encoding: action))
  }

  /// - Parameter value: What the action is encoded as.
  static func json(_ action: some Encodable, as value: Value) throws -> Value {
    var names: [String] = []
    var value = value
    while case .object(let cases) = value, cases.count == 1, let member = cases.first {
      names.append(member.key)
      guard case .object(let values) = member.value else { break }
      guard values.count == 1, let inner = values["_0"] else {
        let type = Value.string(names.joined(separator: "/"))
        return values.isEmpty ? ["type": type] : ["type": type, "payload": member.value]
      }
      value = inner
    }
    throw EngineError(.invalidAction, "\(action) is not a case of an enum of actions")
  }
}
