import ImmutableJSON

/// An effect that a rule asks for, and the actions that its end dispatches.
public struct RequestedEffect: Sendable {
  /// The name of the function that performs the effect.
  public let name: String

  public let arguments: Value

  /// The actions without their payloads; `nil` for none.
  private let success: Value?
  private let failure: Value?
  private let cancelled: Value?

  /// When it begins, and how it ends if it takes too long; `nil` for an effect that begins now, and
  /// takes as long as it likes.
  let schedule: EffectSchedule?

  /// The key whose effects it cancels, instead of asking for one.
  let cancelledKey: String?

  /// - Parameters:
  ///   - name: The name of the function that performs the effect.
  ///   - arguments: Its arguments.
  ///   - success: The type of the action that is dispatched with the result as its payload.
  ///   - failure: The type of the action that is dispatched with `{"reason": "…"}` as its payload.
  ///     Without one, a failure counts as a failed effect.
  ///   - cancelled: The type of the action that is dispatched, without a payload, if the effect is
  ///     cancelled.
  ///   - schedule: When it begins, and how it ends if it takes too long.
  public init(
    _ name: String, _ arguments: Value = .null, success: String? = nil, failure: String? = nil,
    cancelled: String? = nil, schedule: EffectSchedule? = nil
  ) {
    self.name = name
    self.arguments = arguments
    self.success = success.map { ["type": .string($0)] }
    self.failure = failure.map { ["type": .string($0)] }
    self.cancelled = cancelled.map { ["type": .string($0)] }
    self.schedule = schedule
    self.cancelledKey = nil
  }

  /// Cancels the effects of a key, instead of asking for one.
  public static func cancel(_ key: String) -> RequestedEffect {
    RequestedEffect(cancelling: key)
  }

  private init(cancelling key: String) {
    (self.name, self.arguments) = ("", .null)
    (self.success, self.failure, self.cancelled) = (nil, nil, nil)
    (self.schedule, self.cancelledKey) = (nil, key)
  }
}

extension RequestedEffect {
  /// The limit of effects that a rule can ask for after one action.
  static var limit: Int { 1_024 }

  // The members and not the schema: leak checkers do not recognize the tagged pointer of an
  // indirect enum.
  private static let members: [Schema.Property] = [
    .init("effect", .string, "The name of the effect."),
    .init("arguments", .any, isRequired: false, "Its arguments."),
    .init("success", .any, isRequired: false, "The action that its result becomes."),
    .init("failure", .any, isRequired: false, "The action that its failure becomes."),
    .init("cancelled", .any, isRequired: false, "The action that follows if it is cancelled."),
  ]

  private static let cancellation: [Schema.Property] = [
    .init("cancel", .string, "The key whose effects are cancelled.")
  ]

  /// Throws if a rule asked for too many effects.
  static func requireCount(_ count: Int) throws(EngineError) {
    guard count <= self.limit else {
      throw EngineError(
        .limit,
        "a rule asked for \(counted(count, "effect")) after one action; the limit is "
          + "\(counted(self.limit, "effect"))")
    }
  }

  /// Decodes what a rule of the program returned: an array of effects, or null for none.
  ///
  /// - Throws: ``EngineError``: `invalidArgument` for a wrong shape; `limit` for too many effects.
  public static func effects(from value: Value) throws(EngineError) -> [RequestedEffect] {
    let elements: JSONArray
    switch value {
    case .null: return []
    case .array(let array): elements = array
    default:
      throw EngineError(
        .invalidArgument,
        "a rule returns an array of effects such as [{\"effect\":\"timer\"}], "
          + "not \(value.kindWithArticle)")
    }
    try self.requireCount(elements.count)
    var effects: [RequestedEffect] = []
    for (index, element) in elements.enumerated() {
      effects.append(try RequestedEffect(element, "effects/\(index)"))
    }
    return effects
  }

  private init(_ value: Value, _ path: String) throws(EngineError) {
    if value["cancel"] != nil {
      try Self.cancellation.check(value, path)
      self = .cancel(value["cancel"]?.string ?? "")
      return
    }
    try (Self.members + EffectSchedule.members).check(value, path)
    self.schedule = try EffectSchedule.read(value, path)
    self.cancelledKey = nil
    self.name = value["effect"]?.string ?? ""
    self.arguments = value["arguments"] ?? .null
    self.success = try Self.action(value["success"], "\(path)/success")
    self.failure = try Self.action(value["failure"], "\(path)/failure")
    self.cancelled = try Self.action(value["cancelled"], "\(path)/cancelled")
  }

  /// Reads an action without its payload: its type, or an object with its type and meta.
  private static func action(_ value: Value?, _ path: String) throws(EngineError) -> Value? {
    switch value {
    case nil, .null: return nil
    case .string: return value.map { ["type": $0] }
    case .object(let members)?:
      guard case .string = members["type"] else {
        throw EngineError(.invalidArgument, "\(path): the action has no \"type\" that is a string")
      }
      if let other = members.first(where: { !["type", "meta"].contains($0.key) }) {
        throw EngineError(
          .invalidArgument,
          "\(path): unknown member \(quoted(other.key)); the action has \"type\" and \"meta\", and "
            + "no payload of its own")
      }
      return value
    case let other?:
      throw EngineError(
        .invalidArgument,
        "\(path): expected an action type or an object such as {\"type\":\"…\",\"meta\":{…}}, "
          + "not \(other.kindWithArticle)")
    }
  }

  /// Throws if the effect, or an action that its end dispatches, is not in a schema.
  ///
  /// - Parameter path: The path of the effect, for messages.
  func check(_ schema: StoreSchema, _ path: String) throws(EngineError) {
    guard self.cancelledKey == nil else { return }
    try schema.check(effect: self.name, self.arguments, path)
    let actions = [
      ("success", self.success), ("failure", self.failure), ("cancelled", self.cancelled),
    ]
    for (member, action) in actions {
      guard let type = action?["type"]?.string else { continue }
      do {
        try schema.check(type: type)
      } catch {
        throw EngineError(.invalidArgument, "\(path)/\(member): \(error)")
      }
    }
  }

  /// Whether an action follows if it is cancelled.
  var isToldOfCancellation: Bool {
    self.cancelled != nil
  }

  /// The effect that dispatches the action for an outcome. It fails if the effect of the program
  /// failed and the rule gave no action for that.
  ///
  /// - Throws: `ValueLimitError` if the action is too large.
  func completion(of outcome: EffectTask.Outcome) throws -> Effect<Value, ValueAction> {
    let action: Value?
    switch outcome {
    case .success(let result):
      action = try self.success?.withPayload(result)
    case .failure(.cancelled): action = self.cancelled
    case .failure(let error):
      guard let failure else { return { _ in throw error } }
      action = try failure.withPayload(["reason": .string(error.description)])
    }
    return { context in
      guard let action else { return }
      do {
        try context.dispatch(.value(action))
      } catch {
        throw EngineError(error).rejecting(action)
      }
    }
  }
}

extension EngineError {
  /// The error with the type of the action in its message.
  fileprivate func rejecting(_ action: Value) -> EngineError {
    var error = self
    error.message = "the action \(quoted(action["type"]?.string ?? "")): \(self.message)"
    return error
  }
}

extension Value {
  fileprivate func withPayload(_ payload: Value) throws -> Value {
    guard case .object(let members) = self else { return self }
    let action = Value.object(
      JSONObject(members.map { ($0.key, $0.value) } + [("payload", payload)]))
    try action.checkLimits()
    return action
  }
}
