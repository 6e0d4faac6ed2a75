/// The work that a computation over values may still do.
///
/// Structural sharing makes values that are small in memory and endless to walk, and an expression
/// multiplies what it is given. So what walks or makes values on a caller's behalf charges for it,
/// before it does it: a unit for a value that is visited or made, and one for each 16 bytes of text
/// or less that are compared, searched or made.
public struct WorkBudget: Sendable {
  /// What the budget was at first, for messages.
  public let limit: Int

  /// How many units are left.
  public private(set) var left: Int

  public init(_ limit: Int = ValueLimits.work) {
    self.limit = limit
    self.left = limit
  }

  /// Takes units from what is left.
  public mutating func charge(_ units: Int = 1) throws(WorkLimitError) {
    guard units <= self.left else { throw WorkLimitError(limit: self.limit) }
    self.left -= units
  }

  /// Takes the units for bytes of text.
  public mutating func charge(bytes: Int) throws(WorkLimitError) {
    try self.charge(bytes / 16 + 1)
  }
}

/// A computation would do more work than its budget allows.
public struct WorkLimitError: Error, Hashable {
  /// The budget that it had.
  public let limit: Int
}

extension WorkLimitError: CustomStringConvertible {
  public var description: String {
    "more than \(self.limit) units of work"
  }
}
