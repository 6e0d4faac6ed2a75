import ImmutableJSON

/// The output of a selector for a state, or the error that it threw.
///
/// Not a `Result`, which would take three times the memory in each observation.
enum ObservationOutput: Hashable, Sendable {
  case value(Value)
  indirect case failure(EngineError)
}

extension ObservationOutput {
  /// Evaluates a selector.
  init(of selector: BoundSelector, in snapshot: any Snapshot) {
    self.init { () throws(EngineError) in try selector.output(for: snapshot) }
  }

  init(catching body: () throws(EngineError) -> Value) {
    do throws(EngineError) {
      self = .value(try body())
    } catch {
      self = .failure(error)
    }
  }

  func get() throws(EngineError) -> Value {
    switch self {
    case .value(let value): return value
    case .failure(let error): throw error
    }
  }
}
