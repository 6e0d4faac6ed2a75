import ImmutableJSON

/// A kind of application state that stores can be opened for by name.
///
/// One type says everything: what the state is, which actions there are, how they change it, and
/// what can be read from it.
///
/// ```swift
/// enum LightDomain: Domain {
///   struct State: Codable, Sendable { var isOn = false }
///   enum Action: Codable, Sendable { case toggle }
///
///   static let name = "light"
///   static let summary = "A light that is on or off."
///   static let initialState = State()
///   static var stateSchema: Schema { .object([.init("isOn", .boolean, "Whether it is on.")]) }
///   static var actions: [ActionDescription] { [.init("toggle", "Turns it on or off.")] }
///   static var selectors: [SelectorDescription<State>] {
///     [.init("selectIsOn", "Whether it is on.", output: .boolean) { $0.isOn }]
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
public protocol Domain: Sendable {
  associatedtype State: Codable & Sendable

  /// An enum whose cases are the actions, `Codable` as Swift synthesises it.
  ///
  /// A case that groups actions has one associated value without a label: `case ui(UI)`. The type
  /// of an action is the path of its cases (`ui/editor/didTapAdd`), its payload the associated
  /// values of the last by label.
  associatedtype Action: Codable & Sendable

  static var name: String { get }

  /// What the domain is, in a sentence.
  static var summary: String { get }

  /// The state of a store that is opened without the option `state`.
  static var initialState: State { get }

  /// The shape of the option `state`.
  static var stateSchema: Schema { get }

  static var actions: [ActionDescription] { get }

  static var selectors: [SelectorDescription<State>] { get }

  /// The next state. Pure: it may not use its store.
  ///
  /// - Throws: Anything; its description becomes the message, and the state stays as it is.
  static func reduce(_ state: State, _ action: Action) throws -> State

  /// The options that a store is opened with, besides `state`. By default there are none.
  static var options: [Schema.Property] { get }

  /// What a store does besides reducing. By default it does nothing.
  ///
  /// - Parameters:
  ///   - options: An object of the shape that ``options`` describe.
  ///   - fetcher: Makes requests, for as long as the store is open.
  /// - Throws: ``EngineError``: the store is then not opened.
  static func makeEffects(
    _ options: Value, _ fetcher: Fetcher
  ) throws -> (any Effects<State, Action>)?

  /// Whether stores of the domain have the option `optimistic`. What follows is asked of those that
  /// were opened with it, and of no others.
  static var isOptimistic: Bool { get }

  /// What an action means for the changes in flight.
  ///
  /// - Parameter state: What the action finds. An action begins a change only if it will have an
  ///   outcome: one that asks for what is under way already begins none.
  static func optimism(of action: Action, in state: State) -> Optimism?

  /// The next state of an action that begins a change: what is shown while it is in flight. Pure, as
  /// ``reduce(_:_:)``.
  static func anticipate(_ state: State, _ action: Action) throws -> State

  /// The next state of an outcome that succeeded: the state most often shows the change already.
  /// Pure, as ``reduce(_:_:)``.
  static func confirm(_ state: State, _ action: Action) throws -> State
}

extension Domain {
  public static var options: [Schema.Property] {
    []
  }

  public static func makeEffects(
    _ options: Value, _ fetcher: Fetcher
  ) throws -> (any Effects<State, Action>)? {
    nil
  }

  public static var isOptimistic: Bool { false }

  public static func optimism(of action: Action, in state: State) -> Optimism? {
    nil
  }

  public static func anticipate(_ state: State, _ action: Action) throws -> State {
    try self.reduce(state, action)
  }

  public static func confirm(_ state: State, _ action: Action) throws -> State {
    try self.reduce(state, action)
  }
}
