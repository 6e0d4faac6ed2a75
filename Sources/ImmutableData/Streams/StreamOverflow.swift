/// A stream with the policy ``OverflowPolicy/fail`` ended because it was full.
public struct StreamOverflow: Error, Hashable {
  /// How many unread actions the stream could hold.
  public let capacity: Int

  public init(capacity: Int) {
    self.capacity = capacity
  }
}

extension StreamOverflow: CustomStringConvertible {
  public var description: String {
    "the reader fell more than \(self.capacity) action\(self.capacity == 1 ? "" : "s") behind "
      + "and its stream ended; make the stream with a larger capacity or another overflow policy"
  }
}
