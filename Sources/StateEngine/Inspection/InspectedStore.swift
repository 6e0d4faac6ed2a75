import ImmutableData
import ImmutableJSON

/// What an inspector asks of a store. It calls these functions on its own thread.
protocol InspectedStore: AnyObject, Sendable {
  /// The name of its domain; `nil` for a reducer of the program.
  var domainName: String? { get }
  /// Whether it has a history, and whether it only follows a log.
  var hasHistory: Bool { get }
  var isReadOnly: Bool { get }
  /// The path or the address of its log.
  var logPath: String? { get }

  /// The state after a commit, and the number of that commit.
  func inspectedState() throws(EngineError) -> (state: Value, number: Int)

  /// The output of an expression for a state, or of a selector.
  func query(
    _ expression: String, _ arguments: Value, in state: Value
  ) throws(EngineError) -> Value
  func select(
    _ selector: String, _ arguments: Value, _ options: EvaluationOptions
  ) throws(EngineError) -> Value

  func description() throws(EngineError) -> Value
  func statistics() throws(EngineError) -> Value
  func history(_ options: Value) throws(EngineError) -> Value

  func dispatch(_ action: Value) throws(EngineError)
  func undo(_ steps: Int) throws(EngineError) -> Int
  func redo(_ steps: Int) throws(EngineError) -> Int
  func travel(to number: Int) throws(EngineError)
}

/// A store that can be inspected, while it is open.
struct Inspected: Sendable {
  weak var store: (any InspectedStore)?
  let tracer: Tracer
  let allowsControl: Bool

  var number: Int {
    self.tracer.number
  }

  /// Whether commits have patches. The state of a domain would have to be encoded for each.
  let hasPatches: Bool

  /// The description that does not change; made once, because the store may be gone.
  let json: Value

  init(_ store: any InspectedStore, _ tracer: Tracer, _ options: InspectOptions) {
    self.store = store
    self.tracer = tracer
    self.allowsControl = options.allowsControl
    self.hasPatches = store.domainName == nil
    self.json = [
      "store": .integer(Int64(tracer.number)), "name": .string(tracer.name),
      "domain": store.domainName.map { .string($0) } ?? .null,
      "control": .bool(options.allowsControl), "history": .bool(store.hasHistory),
      "log": store.logPath.map { .string($0) } ?? .null, "readOnly": .bool(store.isReadOnly),
      "patches": .bool(self.hasPatches),
    ]
  }
}
