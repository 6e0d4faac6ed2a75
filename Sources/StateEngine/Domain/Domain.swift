import ImmutableJSON

/// A kind of application state. Its stores can be opened by its name.
///
/// A domain defines the state, the actions, the reducer and the selectors.
///
/// ```swift
/// enum LightDomain {
///   struct State: Codable, Sendable { var isOn = false }
///   enum Action: Codable, Sendable { case toggle }
/// }
///
/// extension LightDomain: Domain {
///   static let name = "light"
///   static let summary = "A light that is on or off."
///   static let initialState = State()
///   static var stateSchema: Schema {
///     Schema(of: State.self, ["/isOn": "Whether it is on."])
///   }
///
///   static var actions: [ActionDescription<Action>] {
///     [.init(.toggle, "Turns it on or off.")]
///   }
///
///   static var selectors: [SelectorDescription<State>] {
///     [
///       .init("selectIsOn", "Whether it is on.") { $0.isOn }
///     ]
///   }
///
///   static func reduce(_ state: State, _ action: Action) throws -> State {
///     State(isOn: !state.isOn)
///   }
/// }
///
/// let store = try AnyStore(LightDomain.self)
/// try store.dispatch(["type": "toggle"])
/// try store.select("selectIsOn")  // true
/// ```
///
/// In an extension, Swift warns if you misspell a function that has a default, such as
/// `makeEffects`.
public protocol Domain: Sendable {
  associatedtype State: Codable & Sendable

  /// An enum of the actions, with the `Codable` that Swift synthesizes.
  ///
  /// A case that groups actions has one associated value without a label: `case ui(UI)`. The type
  /// of an action is the path of its cases (`ui/editor/didTapAdd`). Its payload has the associated
  /// values of the last case by label.
  associatedtype Action: Codable & Sendable

  static var name: String { get }

  /// One sentence about the domain.
  static var summary: String { get }

  /// The state of a store that is opened without the option `state`.
  static var initialState: State { get }

  /// The shape of the state, and so of the option `state`.
  ///
  /// By default, it is derived from ``State``. In a debug build, an action fails if the state after
  /// it has another shape.
  static var stateSchema: Schema { get }

  /// Whether the reducer computes numbers that can become infinite or NaN, which JSON cannot write.
  /// By default, whether ``stateSchema`` has a number.
  ///
  /// If so, an action with such a result fails. After each action, the members of the state that
  /// differ are encoded, each as a whole. Return `false` if all numbers come from actions, whose
  /// JSON has no such number.
  static var computesNumbers: Bool { get }

  static var actions: [ActionDescription<Action>] { get }

  /// Groups of actions that are dispatched often, which are decoded faster. Empty by default.
  static var actionGroups: [ActionGroup<Action>] { get }

  static var selectors: [SelectorDescription<State>] { get }

  /// The filters that observers can name; empty by default.
  static var filters: [FilterDescription<State, Action>] { get }

  /// Returns the next state. Pure: it must not use its store.
  ///
  /// - Throws: Any error; its description becomes the message, and the state does not change.
  static func reduce(_ state: State, _ action: Action) throws -> State

  /// The options of a store, besides `state`, `budget`, `history`, `log` and `optimistic`,
  /// which the engine defines.
  /// Empty by default.
  static var options: [Schema.Property] { get }

  /// Creates the side effects of a store. By default, a store has no effects.
  ///
  /// - Parameters:
  ///   - options: An object of the shape that ``options`` describes.
  ///   - fetcher: Performs requests while the store is open.
  /// - Throws: ``EngineError``; the `DecodingError` of an option. The store is then not opened.
  static func makeEffects(
    _ options: Value, _ fetcher: Fetcher
  ) throws -> (any Effects<State, Action>)?

  /// The effects that the domain asks the program for; empty by default.
  static var programEffects: [ProgramEffectDescription] { get }

  /// The changes that are shown before their effects have succeeded, in stores that are opened with
  /// the option `optimistic`. By default, no changes are shown early, and stores lack the option.
  static var optimisticUpdates: OptimisticUpdates<State, Action> { get }

  /// Why stores of the domain cannot keep a log, as the end of a sentence, such as "keeps its
  /// records in a database"; `nil` if they can, which is the default.
  static var logRefusal: String? { get }

  /// The version of the shape of state and actions in a log; 1 by default.
  static var logVersion: Int { get }

  /// What turns a log of an older version into one of the next, when a store opens it; empty by
  /// default.
  static var logMigrations: [LogMigration] { get }

  /// The actions that can be undone in stores that are opened with the option `history`. By
  /// default, all can.
  static var undoable: UndoableActions<Action> { get }
}

extension Domain {
  public static var stateSchema: Schema {
    Schema(of: State.self)
  }

  public static var computesNumbers: Bool {
    self.stateSchema.hasNumbers
  }

  public static var actionGroups: [ActionGroup<Action>] {
    []
  }

  public static var filters: [FilterDescription<State, Action>] {
    []
  }

  public static var options: [Schema.Property] {
    []
  }

  public static func makeEffects(
    _ options: Value, _ fetcher: Fetcher
  ) throws -> (any Effects<State, Action>)? {
    nil
  }

  public static var programEffects: [ProgramEffectDescription] {
    []
  }

  public static var optimisticUpdates: OptimisticUpdates<State, Action> {
    .none
  }

  public static var undoable: UndoableActions<Action> {
    .all
  }

  public static var logRefusal: String? {
    nil
  }

  public static var logVersion: Int {
    1
  }

  public static var logMigrations: [LogMigration] {
    []
  }
}

extension Domain {
  /// All options of a store of this domain.
  static var allOptions: [Schema.Property] {
    [.init("state", self.stateSchema, isRequired: false, "The initial state.")]
      + (self.optimisticUpdates.update != nil ? [.optimistic] : []) + [.history]
      + (self.logRefusal == nil ? [.log] : []) + [
        .budget, .depth, .clock, .strict, .trace, .inspect,
      ]
      + self.options
  }

  /// The domain as JSON: its actions, selectors, options and, if it has any, filters and effects of
  /// the program.
  static var description: Value {
    var members: [(String, Value)] = [
      ("name", .string(self.name)),
      ("summary", .string(self.summary)),
      ("actions", .array(JSONArray(self.actions.map(\.json)))),
      ("selectors", .array(JSONArray(self.selectors.map(\.json)))),
      ("options", Schema.object(self.allOptions).json),
    ]
    if !self.filters.isEmpty {
      members.append(("filters", .array(JSONArray(self.filters.map(\.json)))))
    }
    if !self.programEffects.isEmpty {
      members.append(("effects", .array(JSONArray(self.programEffects.map(\.json)))))
    }
    return .object(JSONObject(members))
  }
}
