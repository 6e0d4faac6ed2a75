/// An action of a batch failed; none of the batch happened.
public struct BatchError: Error {
  /// Which one it was, counted from 0.
  public let index: Int

  /// What its reducer threw.
  public let underlying: any Error

  public init(index: Int, underlying: any Error) {
    self.index = index
    self.underlying = underlying
  }
}
