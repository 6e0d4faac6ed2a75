/// The work that a computation over values may still do.
///
/// Structural sharing makes values that are small in memory and endless to walk, and an expression
/// multiplies what it is given. So what walks or makes values on a caller's behalf charges for it,
/// before it does it: a unit for a value that is visited or made, and one for each 16 bytes of text
/// or less that are compared, searched or made.
public struct WorkBudget: Sendable {
  /// What the budget was at first, for messages.
  public let limit: Int

  /// Whether that is ``ValueLimits/work``.
  public let isDefault: Bool

  /// How many units are left.
  public private(set) var left: Int

  /// - Parameter limit: The units that there are; without any, ``ValueLimits/work``.
  public init(_ limit: Int? = nil) {
    self.limit = limit ?? ValueLimits.work
    self.isDefault = limit == nil
    self.left = self.limit
  }

  /// Takes units from what is left.
  public mutating func charge(_ units: Int = 1) throws(WorkLimitError) {
    guard units <= self.left else { throw WorkLimitError(self) }
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

  /// Whether that was ``ValueLimits/work``.
  public let isDefault: Bool

  init(_ budget: WorkBudget) {
    self.limit = budget.limit
    self.isDefault = budget.isDefault
  }
}

extension WorkLimitError: CustomStringConvertible {
  public var description: String {
    "more than \(counted(self.limit, "unit")) of work, "
      + "which is \(self.isDefault ? "the limit of work" : "its budget")"
  }
}
