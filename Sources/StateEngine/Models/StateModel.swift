import ImmutableData
import ImmutableJSON

/// The states and actions of a ``TypedStore``, and how they are encoded and reduced: a
/// ``DomainModel`` or a ``ValueModel``.
protocol StateModel: Sendable {
  associatedtype State: Sendable
  associatedtype Action: Sendable
  associatedtype StateSnapshot: Snapshot

  /// - Parameter history: `nil` in a store without history.
  static func snapshot(of state: State, _ history: SharedHistoryStatus?) -> StateSnapshot

  /// A state as JSON, if it is JSON.
  static func knownJSON(of state: State) -> Value?

  /// Decodes a state that a log has.
  static func state(_ json: Value) throws -> State

  /// An action as JSON. Throws if it was dispatched without JSON, and has none.
  static func json(of action: Action) throws -> Value

  /// An action as JSON, if it is known without running code of a domain.
  static func knownJSON(of action: Action) -> Value?

  /// Which states differ, and which actions cannot be undone.
  var historyPolicy: HistoryPolicy { get }

  /// The description of the domain; empty if there is none.
  var description: JSONObject { get }

  /// Decodes an action that the program passed as text.
  func decode(reading text: UnsafeRawBufferPointer) throws(EngineError) -> Action

  /// Decodes a batch that the program passed as text; `nil` if it must be parsed first.
  func decode(batch text: UnsafeRawBufferPointer) -> [Action]?

  /// Decodes an action that the program passed.
  func decode(_ action: Value) throws(EngineError) -> Action

  /// Decodes an action that a log has.
  func decode(logged action: Value) throws(EngineError) -> Action

  /// Replaces the state, or leaves it and returns edits of it.
  func reduce(_ state: inout State, _ action: Action) throws -> AnyObject?

  /// Makes edits that ``reduce(_:_:)`` has returned. Called with the locks of the store held.
  static func edit(_ state: inout State, _ edits: AnyObject)

  /// The next state, in a store with optimistic updates.
  func next(
    _ state: State, _ action: Action, _ kind: OptimisticUpdate.ReducerKind
  ) throws -> State

  /// What an action means for the changes in flight. Called only in a store that was opened with
  /// `optimistic`.
  func optimisticUpdate(of action: Action, in state: State) throws -> OptimisticUpdate?

  /// Binds a filter of the domain to its arguments among those of an observation.
  func filter(_ name: String, _ arguments: Value) throws(EngineError) -> CommitFilter

  /// Throws if the states are not JSON values, which the filter function of an observer takes.
  func requireFilterFunctionSupport() throws(EngineError)
}

extension StateModel {
  func decode(reading text: UnsafeRawBufferPointer) throws(EngineError) -> Action {
    try self.decode(Value(reading: text, .action))
  }

  func decode(batch text: UnsafeRawBufferPointer) -> [Action]? {
    nil
  }

  func decode(logged action: Value) throws(EngineError) -> Action {
    try self.decode(action)
  }
}
