import ImmutableJSON

/// The parts of an action, which is a Flux Standard Action.
struct ActionEnvelope {
  let type: String
  let payload: Value?
  let meta: Value?

  /// Checks the shape of an action.
  ///
  /// - Parameter example: An existing action type, for messages.
  init(_ value: Value, example: @autoclosure () -> String) throws(EngineError) {
    guard case .object(let members) = value else {
      let remedy =
        if case .array = value {
          "; dispatch_batch, in Swift dispatch(batch:), takes an array of actions"
        } else {
          ""
        }
      throw EngineError(
        .invalidAction,
        "an action is an object such as {\"type\":\(quoted(example()))}, "
          + "not \(value.kindWithArticle)\(remedy)")
    }
    switch members[typeKey] {
    case .string(let type):
      guard !type.isEmpty else {
        throw EngineError(.invalidAction, "the \"type\" of an action must not be empty")
      }
      guard type.utf8.first != at || type.utf8.dropFirst().first != at else {
        throw EngineError(
          .invalidAction,
          "the type \(quoted(type)) begins with \"@@\", as only those of the engine do; choose "
            + "another one")
      }
      self.type = type
    case nil:
      throw EngineError(
        .invalidAction,
        "the action has no \"type\"; an action looks like {\"type\":\(quoted(example()))}")
    case let other?:
      throw EngineError(
        .invalidAction, "the \"type\" of an action is a string, not \(other.kindWithArticle)")
    }
    self.payload = members[payloadKey]
    let known = self.payload == nil ? 1 : 2
    self.meta = members.count > known ? members[metaKey] : nil
    if members.count > known + (self.meta == nil ? 0 : 1),
      let unknown = members.first(where: { !["type", "payload", "meta"].contains($0.key) })
    {
      throw EngineError(
        .invalidAction,
        "an action has no member \(quoted(unknown.key)); its members are \"type\", \"payload\" "
          + "and \"meta\"")
    }
  }
}

private let at = UInt8(ascii: "@")
private let typeKey = ObjectKey("type")
private let payloadKey = ObjectKey("payload")
private let metaKey = ObjectKey("meta")
