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
