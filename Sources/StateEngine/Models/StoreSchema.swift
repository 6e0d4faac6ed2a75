import ImmutableJSON
import JSONSchema

/// The option `schema` of a store with the program's own reducer: what its actions, its state, the
/// arguments of its selectors and its effects look like. Immutable.
final class StoreSchema: Sendable {
  /// The schemas of the payloads by the types of actions; `nil` if actions are not checked.
  private let actions: [StringKey: CompiledSchema]?
  /// A few of them: to compare a few types is faster than to hash one.
  private let firstActions: [(type: StringKey, schema: CompiledSchema)]
  private let allowsUnknownActions: Bool

  private let state: CompiledSchema?

  /// The schemas of the arguments by the names of selectors.
  private let arguments: [StringKey: CompiledSchema]

  /// The schemas of the arguments by the names of effects; `nil` if effects are not checked.
  private let effects: [StringKey: CompiledSchema]?

  /// The option.
  let json: Value

  /// - Parameter option: The option.
  init(_ option: Value) throws(EngineError) {
    try Self.members.check(option, "options/schema")
    self.json = option
    let schemas: [StringKey: CompiledSchema]
    do throws(SchemaError) {
      schemas = try Self.compile(option)
    } catch {
      throw EngineError(.invalidArgument, error.message("options/schema"))
    }
    func members(_ name: String) -> [StringKey: CompiledSchema]? {
      guard case .object(let members)? = option[name] else { return nil }
      return members.reduce(into: [:]) {
        $0[StringKey($1.key)] = schemas[Self.key([name, $1.key])]
      }
    }
    self.actions = members("actions")
    let few = 16
    self.firstActions = (self.actions ?? [:]).sorted { $0.key < $1.key }.prefix(few)
      .map { ($0.key, $0.value) }
    self.arguments = members("arguments") ?? [:]
    self.effects = members("effects")
    self.allowsUnknownActions = option["unknownActions"]?.string == "allow"
    self.state = schemas[Self.key(["state"])]
  }

  private static func key(_ tokens: [String]) -> StringKey {
    StringKey(JSONPointer(tokens).description)
  }

  /// The schemas of the option, by their pointers. They share what they refer to.
  private static func compile(
    _ option: Value
  ) throws(SchemaError) -> [StringKey: CompiledSchema] {
    var pointers = option["state"] == nil ? [] : [JSONPointer(["state"])]
    // Also definitions to which no schema refers must be schemas.
    for name in ["$defs", "actions", "arguments", "effects"] {
      guard case .object(let members)? = option[name] else { continue }
      for (key, _) in members { pointers.append(JSONPointer([name, key])) }
    }
    let schemas = try CompiledSchema.schemas(
      at: pointers, of: option, forChanges: option["state"] == nil ? nil : 0)
    return Dictionary(zip(pointers.map { Self.key($0.tokens) }, schemas)) { first, _ in first }
  }

  private static var members: [Schema.Property] {
    [
      .init("state", .any, isRequired: false, "The state."),
      .init(
        "actions", .dictionary(.any), isRequired: false, "The payloads by the types of actions."),
      .init(
        "arguments", .dictionary(.any), isRequired: false,
        "The arguments by the names of selectors."),
      .init(
        "effects", .dictionary(.any), isRequired: false, "The arguments by the names of effects."),
      .init(
        "unknownActions", .oneOf(["allow", "refuse"]), isRequired: false,
        "Whether actions of other types are taken. Refused by default."),
      .init(
        "$defs", .dictionary(.any), isRequired: false, "Schemas to which the others refer."),
    ]
  }
}

extension Schema.Property {
  /// The option of a store that checks its actions and its state.
  static var schema: Schema.Property {
    .init("schema", .any, isRequired: false, "What actions and the state look like.")
  }
}

// MARK: Actions

extension StoreSchema {
  /// Throws if an action does not fit. One without a payload is checked as if that were `{}`.
  ///
  /// - Parameter isNamed: Whether the message names the type, as the caller does not.
  func check(
    _ type: String, _ payload: @autoclosure () -> Value?, isNamed: Bool = true
  ) throws(EngineError) {
    guard let schema = try self.schema(ofType: type) else { return }
    let payload = payload()
    do {
      try schema.check(payload ?? [:])
    } catch {
      let isMissing = payload == nil ? "; the action has no \"payload\"" : ""
      throw EngineError(
        error.isLimit ? .limit : .invalidAction,
        "\(isNamed ? "\(quoted(type)): " : "")\(error.message("payload"))\(isMissing)")
    }
  }

  func check(_ action: Value) throws(EngineError) {
    try self.check(action["type"]?.string ?? "", action["payload"])
  }

  func check(_ action: ShortText) throws(EngineError) {
    guard !self.certainlyFits(action) else { return }
    try self.check(action.get(typePointer)?.string ?? "", action.get(payloadPointer))
  }

  /// Whether an action fits whose type is one of `firstActions`, and whose payload is simple. Finds
  /// out without parsing it.
  private func certainlyFits(_ action: ShortText) -> Bool {
    guard self.actions != nil else { return true }
    var schema: CompiledSchema?
    _ = action.withString(at: typePointer) { type in
      schema = self.firstActions.first { $0.type.hasSameBytes(as: type) }?.schema
    }
    return schema?.certainlyFits(action, at: payloadPointer) == true
  }

  /// Throws if actions must not have a type.
  func check(type: String) throws(EngineError) {
    _ = try self.schema(ofType: type)
  }

  /// The schema of the payload of a type; `nil` if it may be any.
  private func schema(ofType type: String) throws(EngineError) -> CompiledSchema? {
    guard let actions else { return nil }
    if let schema = actions[StringKey(type)] { return schema }
    guard !self.allowsUnknownActions else { return nil }
    throw EngineError(
      .invalidAction,
      "unknown action type \(quoted(type))\(suggestion(type, actions.keys.map(\.text)))")
  }
}

private var typePointer: UnsafeRawBufferPointer { UnsafeRawBufferPointer("/type") }
private var payloadPointer: UnsafeRawBufferPointer { UnsafeRawBufferPointer("/payload") }

extension UnsafeRawBufferPointer {
  fileprivate init(_ text: StaticString) {
    self.init(start: text.utf8Start, count: text.utf8CodeUnitCount)
  }
}

// MARK: States

extension StoreSchema {
  /// Throws if the initial state does not fit.
  func check(initial state: Value) throws(EngineError) {
    do {
      try self.state?.check(state)
    } catch {
      throw EngineError(error.isLimit ? .limit : .invalidArgument, error.message("state"))
    }
  }

  /// Throws if the state that a reducer returned does not fit. Checks only what has changed.
  func check(_ state: Value, since old: Value) throws(EngineError) {
    do {
      try self.state?.check(state, since: old)
    } catch {
      throw EngineError(
        error.isLimit ? .limit : .reducerFailed,
        "the reducer returned a state that does not fit its schema: \(error.message("state"))")
    }
  }

  /// Throws if the state does not fit to which an undo or redo of parts would lead.
  func check(restored state: Value, since old: Value) throws(EngineError) {
    do {
      try self.state?.check(state, since: old)
    } catch {
      throw EngineError(
        error.isLimit ? .limit : .invalidArgument,
        "with these parts of a past one, the state would not fit its schema: "
          + error.message("state"))
    }
  }

  /// Throws if the state with edits does not fit.
  func check(_ edits: ValueEdits, of state: Value) throws(EngineError) {
    guard let schema = self.state, !schema.certainlyFits(edits, of: state) else { return }
    try self.check(edits.read(in: state), since: state)
  }
}

// MARK: Selectors and effects

extension StoreSchema {
  /// Throws if the arguments of a selector do not fit.
  func check(_ arguments: Value, of selector: String) throws(EngineError) {
    guard let schema = self.arguments[StringKey(selector)] else { return }
    do {
      try schema.check(arguments)
    } catch {
      throw EngineError(error.isLimit ? .limit : .invalidArgument, error.message("arguments"))
    }
  }

  /// Throws if an effect that a rule asks for is unknown, or its arguments do not fit.
  ///
  /// - Parameter path: The path of the effect, for messages.
  func check(effect name: String, _ arguments: Value, _ path: String) throws(EngineError) {
    guard let effects else { return }
    guard let schema = effects[StringKey(name)] else {
      throw EngineError(
        .invalidArgument,
        "\(path): unknown effect \(quoted(name))\(suggestion(name, effects.keys.map(\.text)))")
    }
    do {
      try schema.check(arguments)
    } catch {
      throw EngineError(
        error.isLimit ? .limit : .invalidArgument, error.message("\(path)/arguments"))
    }
  }
}
