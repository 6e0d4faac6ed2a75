/// An action of a batch failed, so the whole batch had no effect.
public struct BatchError: Error {
  /// The index of the action in the batch, from 0.
  public let index: Int

  /// The error that the reducer threw.
  public let underlying: any Error

  public init(index: Int, underlying: any Error) {
    self.index = index
    self.underlying = underlying
  }
}

extension BatchError: CustomStringConvertible {
  /// A sentence that counts the actions from 1, as the messages of all interfaces do.
  public var description: String {
    "action \(self.index + 1): \(self.underlying); the batch was not applied"
  }
}
