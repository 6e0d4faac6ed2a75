import ImmutableJSON
import StateEngine
import TestSupport

/// A store whose actions are merged into its state (RFC 7396).
func makeMergeStore(_ state: Value) throws -> AnyStore {
  try AnyStore(state: state) { state, action in
    guard let payload = action["payload"] else { return state }
    return try state.merging(patch: payload)
  }
}

extension AnyStore {
  func merge(_ payload: Value, type: String = "merge") throws(EngineError) {
    try self.dispatch(["type": .string(type), "payload": payload])
  }

  /// Observes the output of an expression.
  @discardableResult
  func observe(
    expression: String, _ arguments: Value = [:], _ options: Value = [:],
    to deliveries: DeliveryRecorder
  ) throws -> StoreObservation {
    try? self.define(expression, expression)
    return try self.observe(expression, arguments, ObservationOptions(options)) {
      deliveries.append($0)
    }
  }
}

typealias DeliveryRecorder = Recorder<Delivery>

extension Recorder where Element == Delivery {
  var contents: [Delivery.Content] {
    self.all.map(\.content)
  }

  /// The deliveries as text: the output, the patch, or the code of the failure.
  var texts: [String] {
    self.contents.map { content in
      switch content {
      case .value(let value): "\(value)"
      case .patch(let patch): "patch \(patch)"
      case .failure(let error): "\(error.code)"
      }
    }
  }
}
