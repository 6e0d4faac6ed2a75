import ImmutableJSON

/// The description of an action of a domain.
public struct ActionDescription<Action: Codable & Sendable>: Sendable {
  /// The path of enum cases, joined by `/`.
  public let type: String

  /// What happened, in a sentence.
  public let summary: String

  /// The associated values by label; `nil` if the case has no associated values.
  public let payload: [Schema.Property]?

  /// Why the payload cannot be derived; `nil` if it can.
  let problem: String?

  /// Describes an action whose type and payload are derived from a value of it.
  ///
  /// - Parameters:
  ///   - sample: A value of the case. Its associated values do not matter, but must be ones that
  ///     can be decoded.
  ///   - summary: What happened, in a sentence.
  ///   - details: Summaries and limits of associated values, by JSON Pointer.
  public init(
    _ sample: Action, _ summary: String, _ details: KeyValuePairs<String, Schema.Detail> = [:]
  ) {
    self.summary = summary
    var type: String?
    do {
      let encoded = try Value(encodingBeyondLimits: sample)
      let found = try ActionEncoder.json(sample, as: encoded)["type"]?.string ?? ""
      type = found
      self.payload = try Self.payload(sample, encoded, found, details)
      self.problem = nil
    } catch {
      (self.payload, self.problem) = (nil, "\(error)")
    }
    self.type = type ?? "\(sample)"
  }

  /// Describes an action by its type and the schemas of its associated values.
  public init(_ type: String, _ summary: String, payload: [Schema.Property]? = nil) {
    self.type = type
    self.summary = summary
    self.payload = payload
    self.problem = nil
  }
}

extension ActionDescription {
  private static func payload(
    _ sample: Action, _ encoded: Value, _ type: String,
    _ details: KeyValuePairs<String, Schema.Detail>
  ) throws -> [Schema.Property]? {
    let values = try SchemaDerivation.values(
      of: sample, encoded, at: ActionDecoder<Action>.path(type))
    let schema = Schema.object(values).adding(details)
    if let problem = schema.problem { throw SchemaDerivation.Failure(problem) }
    guard case .object(let payload) = schema, !payload.isEmpty else { return nil }
    return payload
  }

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

/// A group of actions that is decoded without the cases around it.
///
/// Swift's synthesized `Codable` takes 8,000 to 13,000 instructions for each case around an action.
/// For actions that are dispatched often, a domain can list their groups:
///
/// ```swift
/// static var actionGroups: [ActionGroup<Action>] {
///   [ActionGroup("data/session") { .data(.session($0)) }]
/// }
/// ```
///
/// An action `data/session/didConnect` is then decoded as the `didConnect` of the type of `$0`.
public struct ActionGroup<Action: Sendable>: Sendable {
  /// The path of the cases around the group, joined by `/`.
  public let type: String

  let decode: @Sendable (Value) throws -> Action

  /// - Parameters:
  ///   - type: The path of the cases around the group, joined by `/`.
  ///   - action: Returns the action with these cases.
  public init<Group: Decodable & Sendable>(
    _ type: String, _ action: @escaping @Sendable (Group) -> Action
  ) {
    self.type = type
    self.decode = { action(try $0.decode(Group.self)) }
  }
}

extension ActionGroup {
  /// The rest of an action type after the path of this group; `nil` if it is not in the group.
  func rest(of type: String) -> Substring? {
    let cases = self.type.utf8.count
    let utf8 = type.utf8
    guard utf8.starts(with: self.type.utf8), utf8.dropFirst(cases).first == UInt8(ascii: "/")
    else { return nil }
    return Substring(utf8.dropFirst(cases + 1))
  }
}

extension Array {
  /// The innermost group of an action type, and the rest of the type.
  func innermost<Action>(of type: String) -> (group: ActionGroup<Action>, rest: Substring)?
  where Element == ActionGroup<Action> {
    self.compactMap { group in group.rest(of: type).map { (group, $0) } }
      .min { $0.rest.utf8.count < $1.rest.utf8.count }
  }
}
