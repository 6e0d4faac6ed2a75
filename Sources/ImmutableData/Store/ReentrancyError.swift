/// A reducer used its own store, or dispatched to any store.
///
/// The action being reduced fails with this error even if the reducer ignores it and returns a
/// state.
public struct ReentrancyError: Error, Hashable {
  /// The operation that the reducer performed.
  public enum Operation: String, Hashable, Sendable {
    case dispatch, select, makeStream, subscribe

    /// Any other operation that a higher layer offers.
    case use
  }

  public let operation: Operation

  public init(operation: Operation) {
    self.operation = operation
  }
}

extension ReentrancyError: CustomStringConvertible {
  public var description: String {
    switch self.operation {
    case .dispatch:
      "a reducer dispatched an action; return the next state instead, "
        + "and dispatch further actions after the first dispatch returned"
    case .select:
      "a reducer selected from its own store; "
        + "read the state passed to it instead"
    case .makeStream, .subscribe:
      "a reducer used an observation or a stream of its own store; "
        + "use it before the dispatch or after it returned"
    case .use:
      "a reducer used its own store; "
        + "use it before the dispatch or after it returned"
    }
  }
}
