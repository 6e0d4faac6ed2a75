import ImmutableJSON
import StateEngine

/// A domain whose state records its actions: reduced, anticipated (`?`) or confirmed (`!`). An
/// action fails unless the text that it needs was written, and the one that it clashes with was
/// not.
enum PenDomain: Domain {
  struct State: Codable, Hashable, Sendable {
    var written: [String] = []
  }

  struct Mark: Codable, Hashable, Sendable {
    var text: String
    var needs: String?
    var clashes: String?
  }

  enum Action: Codable, Hashable, Sendable {
    case write(mark: Mark)
    case begin(mark: Mark, key: String)
    case succeed(mark: Mark, key: String)
    case fail(mark: Mark, key: String)
  }

  struct Refusal: Error {}

  static let name = "pen"
  static let summary = "What was written."
  static let initialState = State()

  static var optimisticUpdates: OptimisticUpdates<State, Action> {
    OptimisticUpdates(
      update: self.optimisticUpdate, anticipate: self.anticipate, confirm: self.confirm)
  }

  static var stateSchema: Schema {
    .object([.init("written", .array(.string), "What was written.")])
  }

  static var actions: [ActionDescription<Action>] {
    let mark = Schema.Property("mark", .any, "What is written.")
    let key = Schema.Property("key", .string, "The key of the change.")
    return [
      .init("write", "Writes.", payload: [mark]),
      .init("begin", "Writes a text that may be rolled back.", payload: [mark, key]),
      .init("succeed", "The change stays.", payload: [mark, key]),
      .init("fail", "The change is rolled back.", payload: [mark, key]),
    ]
  }

  static var selectors: [SelectorDescription<State>] {
    [
      .init(
        "selectText", "The whole text.", output: .string, reads: [StatePart(\.written)]
      ) { $0.written.joined(separator: " ") }
    ]
  }

  static func optimisticUpdate(of action: Action, in state: State) -> OptimisticUpdate? {
    switch action {
    case .write: nil
    case .begin(_, let key): .begins(key)
    case .succeed(_, let key): .succeeds(key)
    case .fail(_, let key): .fails(key)
    }
  }

  static func reduce(_ state: State, _ action: Action) throws -> State {
    try self.write(action, "", in: state)
  }

  static func anticipate(_ state: State, _ action: Action) throws -> State {
    try self.write(action, "?", in: state)
  }

  static func confirm(_ state: State, _ action: Action) throws -> State {
    try self.write(action, "!", in: state)
  }

  private static func write(_ action: Action, _ suffix: String, in state: State) throws -> State {
    let mark = action.mark
    let texts = state.written.map { $0.prefix { $0 != "?" && $0 != "!" } }
    if let needs = mark.needs, !texts.contains(needs[...]) { throw Refusal() }
    if let clashes = mark.clashes, texts.contains(clashes[...]) { throw Refusal() }
    return State(written: state.written + [mark.text + suffix])
  }
}

extension PenDomain.Action {
  var mark: PenDomain.Mark {
    switch self {
    case .write(let mark), .begin(let mark, _), .succeed(let mark, _), .fail(let mark, _): mark
    }
  }

  /// The action as JSON.
  var json: Value {
    get throws {
      guard case .object(let cases) = try Value(encoding: self),
        let (type, payload) = cases.first(where: { _ in true }).map({ ($0.key, $0.value) })
      else { return .null }
      return ["type": .string(type), "payload": payload]
    }
  }
}
