import ImmutableData
import ImmutableJSON

extension AnyStore: InspectedStore {
  var hasHistory: Bool {
    self.commits.hasHistory
  }

  var logPath: String? {
    self.implementation.log?.storage.path
  }

  func inspectedState() throws(EngineError) -> (state: Value, number: Int) {
    try self.enter(.select, evenIfClosed: true)
    return try EngineError.catching {
      let (state, number) = self.implementation.snapshot()
      return (try state.value(), number)
    }
  }

  func query(
    _ expression: String, _ arguments: Value, in state: Value
  ) throws(EngineError) -> Value {
    let compiled = try self.expressions.compile(expression)
    let members = try compiled.expression.check(arguments)
    return try EngineError.catching {
      try compiled.evaluate(state, members, self.workBudget(nil))
    }
  }

  /// Lets an inspector look into the store, if an option or the environment says so.
  func beginInspection(_ option: Value?) throws(EngineError) {
    guard let options = try InspectOptions.read(option) else { return }
    do throws(EngineError) {
      let inspector = try Inspector.open(Inspected(self, self.tracer, options), at: options.path)
      self.inspector.withLock { $0 = inspector }
    } catch {
      // Nobody asked this program for an inspector.
      guard option == nil else { throw error }
      TraceOutput.warn("IMMUTABLEDATA_INSPECT: \(error.message)")
    }
  }
}
