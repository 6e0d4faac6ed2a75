/// Appends of a store that were not answered. Each has the counter that follows the last entry of
/// the store, so at most one of them is in the log, or will be.
struct UnansweredAppends {
  private struct Append {
    let number: Int
    let text: [UInt8]
  }

  private var appends: [Append] = []
  /// Those that are in the log, and whose callers do not know it yet.
  private var arrived: Set<Int> = []
  private var lastNumber = 0

  /// The number of the last append that was not answered; `nil` if the last one was.
  private(set) var last: Int?
}

extension UnansweredAppends {
  /// Notes that an append is made.
  mutating func begin() {
    self.last = nil
  }

  /// Notes that it was not answered.
  mutating func add(_ text: [UInt8]) {
    self.lastNumber += 1
    self.last = self.lastNumber
    self.appends.append(Append(number: self.lastNumber, text: text))
  }

  /// Notes that an entry with their counter is in the log.
  ///
  /// - Returns: Whether it is one of them.
  mutating func settle(by text: [UInt8]) -> Bool {
    guard let append = self.appends.first(where: { $0.text == text }) else { return false }
    self.arrived.insert(append.number)
    self.removeAll()
    return true
  }

  /// Notes that another entry has their counter.
  mutating func removeAll() {
    self.appends.removeAll()
  }

  /// Whether an append is in the log, as far as it was read.
  mutating func takeArrived(_ number: Int) -> Bool {
    self.arrived.remove(number) != nil
  }
}
