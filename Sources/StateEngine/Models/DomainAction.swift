import ImmutableJSON
import Threading

/// The form in which a store has the actions of a domain: ``DomainAction`` or ``TypedAction``.
protocol ActionForm<Action>: SendableMetatype {
  associatedtype Action: Codable & Sendable
  associatedtype Stored: Sendable

  /// - Parameter json: The action as it was sent.
  static func stored(_ action: Action, json: Value) -> Stored
  static func action(of stored: Stored) -> Action
  static func json(of stored: Stored) throws -> Value
  static func knownJSON(of stored: Stored) -> Value?
}

/// The actions of a typed store, which has no place for their JSON. They are encoded whenever they
/// are read as JSON.
enum TypedAction<Action: Codable & Sendable>: ActionForm {
  static func stored(_ action: Action, json: Value) -> Action {
    action
  }

  static func action(of stored: Action) -> Action {
    stored
  }

  static func json(of stored: Action) throws -> Value {
    try ActionEncoder.json(stored)
  }

  static func knownJSON(of stored: Action) -> Value? {
    nil
  }
}

/// An action of a domain, also as JSON.
struct DomainAction<Action: Codable & Sendable>: Sendable {
  let action: Action
  private let form: JSONForm

  /// - Parameter json: The action as it was sent.
  init(_ action: Action, json: Value) {
    self.action = action
    self.form = .given(json)
  }

  /// - Parameter action: The action of an effect.
  init(_ action: Action) {
    self.action = action
    self.form = .encoded(EncodedAction())
  }

  var json: Value {
    get throws {
      switch self.form {
      case .given(let json): json
      case .encoded(let encoded): try encoded.json(of: self.action)
      }
    }
  }

  var knownJSON: Value? {
    switch self.form {
    case .given(let json): json
    case .encoded(let encoded): encoded.json
    }
  }
}

extension DomainAction: ActionForm {
  @inline(__always)
  static func stored(_ action: Action, json: Value) -> Self {
    Self(action, json: json)
  }

  static func action(of stored: Self) -> Action {
    stored.action
  }

  static func json(of stored: Self) throws -> Value {
    try stored.json
  }

  static func knownJSON(of stored: Self) -> Value? {
    stored.knownJSON
  }
}

/// Not a part of the generic type: each dispatch would look it up.
private enum JSONForm {
  case given(Value)
  /// The action of an effect. It is encoded when it is first read as JSON.
  case encoded(EncodedAction)
}

/// The JSON of an action, once it has been read as JSON.
private final class EncodedAction: Sendable {
  private let known = Mutex<Value?>(nil)

  var json: Value? {
    self.known.withLock { $0 }
  }

  func json(of action: some Encodable) throws -> Value {
    if let json { return json }
    // Without the lock: encoding runs code of the domain.
    let new = try ActionEncoder.json(action)
    return self.known.withLock { known in
      let json = known ?? new
      known = json
      return json
    }
  }
}
