import ImmutableJSON

/// The costs of testing the elements of a batch. They are those of evaluating the condition on one
/// element after the other.
struct ConditionCosts {
  /// The cost of all elements.
  private(set) var total = 0

  /// The cost of each slot; empty if only the total is needed.
  private var slots: [Int]

  /// - Parameter isDetailed: Whether the cost of each element is needed.
  init(isDetailed: Bool) {
    self.slots = isDetailed ? Array(repeating: 0, count: ValueColumn.capacity) : []
  }

  func units(of slot: Int) -> Int {
    self.slots.isEmpty ? 0 : self.slots[slot]
  }

  mutating func reset() {
    self.total = 0
    for slot in self.slots.indices {
      self.slots[slot] = 0
    }
  }

  mutating func add(_ units: Int, for slots: SlotSet) {
    self.total += units * slots.count
    guard !self.slots.isEmpty else { return }
    slots.forEach { self.slots[$0] += units }
  }
}
