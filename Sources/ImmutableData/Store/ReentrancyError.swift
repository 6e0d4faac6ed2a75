/// A reducer used the store that it reduces for, or dispatched to another.
///
/// The action that was being reduced fails with this error, also when the reducer itself went on
/// as if nothing had happened: what it returned rests on a mistake.
public struct ReentrancyError: Error, Hashable {
  /// What the reducer did.
  public enum Operation: String, Hashable, Sendable {
    case dispatch, select, makeStream, subscribe

    /// What a layer above offers besides.
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
        + "and dispatch what follows after the first dispatch returned"
    case .select:
      "a reducer selected from its own store; "
        + "read the state that it was handed instead"
    case .makeStream, .subscribe:
      "a reducer used an observation or a stream of its own store; "
        + "use it before the dispatch or after it returned"
    case .use:
      "a reducer used its own store; "
        + "use it before the dispatch or after it returned"
    }
  }
}
