/// The value of the counter.
public struct CounterState: Hashable, Codable, Sendable {
  public let value: Int

  public init(_ value: Int = 0) {
    self.value = value
  }
}

extension CounterState {
  /// The count.
  public static func selectValue() -> @Sendable (Self) -> Int {
    { state in state.value }
  }
}

/// Events of the user interface.
public enum CounterAction: Hashable, Codable, Sendable {
  case didTapIncrementButton
  case didTapDecrementButton
}

/// Computes the next state from a state and an action.
public enum CounterReducer {
  /// Adds or subtracts one.
  ///
  /// - Throws: ``Error`` if the result would exceed the range of `Int`.
  @Sendable public static func reduce(
    state: CounterState, action: CounterAction
  ) throws(Error) -> CounterState {
    let (value, overflow) =
      switch action {
      case .didTapIncrementButton: state.value.addingReportingOverflow(1)
      case .didTapDecrementButton: state.value.subtractingReportingOverflow(1)
      }
    guard !overflow else {
      throw Error(value: state.value)
    }
    return CounterState(value)
  }

  /// The counter is at the end of its range.
  public struct Error: Swift.Error, Hashable {
    public let value: Int
  }
}

extension CounterReducer.Error: CustomStringConvertible {
  public var description: String {
    let (limit, remedy) = self.value > 0 ? ("largest", "decrement") : ("smallest", "increment")
    return "the counter is at \(self.value), the \(limit) value it can have; \(remedy) it instead"
  }
}
