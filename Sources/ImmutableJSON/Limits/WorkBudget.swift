/// The remaining work that a computation over values may do.
///
/// Structural sharing allows values that are small in memory but take very long to walk, and an
/// expression can multiply its input. Therefore code that walks or creates values on a caller's
/// behalf charges its budget: about one unit for each value visited, and for every 16 bytes of text
/// compared or searched. What creates values charges more, each function its own units; the page
/// `docs/selectors.md` lists those of expressions.
public struct WorkBudget: Sendable {
  /// The initial budget, for messages.
  public let limit: Int

  /// Whether the limit is ``ValueLimits/work``.
  public let isDefault: Bool

  /// The remaining units.
  public private(set) var remaining: Int

  /// - Parameter limit: The number of units; `nil` for ``ValueLimits/work``.
  public init(_ limit: Int? = nil) {
    self.limit = limit ?? ValueLimits.work
    self.isDefault = limit == nil
    self.remaining = self.limit
  }

  /// Subtracts units from the budget.
  public mutating func charge(_ units: Int = 1) throws(WorkLimitError) {
    guard units <= self.remaining else { throw WorkLimitError(self) }
    self.remaining -= units
  }

  /// Subtracts the units for a number of bytes of text.
  public mutating func charge(bytes: Int) throws(WorkLimitError) {
    try self.charge(bytes / 16 + 1)
  }
}

/// A computation would exceed its budget of work.
public struct WorkLimitError: Error, Hashable {
  /// The budget that was exceeded.
  public let limit: Int

  /// Whether the budget was ``ValueLimits/work``.
  public let isDefault: Bool

  init(_ budget: WorkBudget) {
    self.limit = budget.limit
    self.isDefault = budget.isDefault
  }
}

extension WorkLimitError: CustomStringConvertible {
  public var description: String {
    "more than \(counted(self.limit, "unit")) of work, "
      + "which is \(self.isDefault ? "the work limit" : "its budget")"
  }
}
