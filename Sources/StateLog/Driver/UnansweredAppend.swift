/// The last append of a store, while it is not known whether the log has it: it was not answered,
/// may still be under way, and has the counter that follows the last entry of the store.
///
/// Nothing else is appended before that is known. If the log does not have it, the counter goes to
/// an entry `withdrawn`: then it can no longer arrive.
struct UnansweredAppend {
  private var texts: [[UInt8]] = []
  private var withdrawals: [[UInt8]] = []
  private var isOpen = false
  /// The last counter of this store that the server has, if its counter is taken.
  private var taken: Int?

  /// The entries of an append that has arrived, and that were not read yet.
  private var expected: ArraySlice<[UInt8]> = []
  /// Appends that have arrived, and whose callers do not know it yet.
  private var arrived: Set<Int> = []
  private var number = 0

  /// The number of the last append, if it was not answered.
  private(set) var last: Int?
}

extension UnansweredAppend {
  /// Whether it is not known.
  var isUnknown: Bool {
    self.isOpen
  }

  /// How often it was withdrawn.
  var attempts: Int {
    self.withdrawals.count
  }

  /// Notes that an append is made.
  mutating func begin() {
    self.last = nil
  }

  /// Notes that it was not answered.
  mutating func fail(_ texts: [[UInt8]]) {
    self.number += 1
    self.last = self.number
    (self.texts, self.withdrawals, self.isOpen, self.taken) = (texts, [], true, nil)
  }

  /// Notes that its counter may be that of an entry which withdraws it.
  mutating func withdraw(by text: [UInt8]) {
    self.withdrawals.append(text)
  }

  /// Notes that its counter is taken. It is read next, unless its entry was trimmed.
  mutating func noteTaken(_ counter: Int) {
    self.taken = counter
  }

  /// Ends an append whose counter is taken by an entry that cannot be read any more.
  ///
  /// - Returns: The last counter, and whether the append is known to have arrived, since it was
  ///   withdrawn only when its counter was taken. `nil` if it may still be read.
  mutating func settleUnread() -> (counter: Int, hasArrived: Bool)? {
    guard self.isOpen, let counter = self.taken else { return nil }
    let hasArrived = self.withdrawals.count == 1
    if hasArrived { self.arrived.insert(self.number) }
    (self.isOpen, self.taken) = (false, nil)
    return (counter, hasArrived)
  }

  /// Notes an entry of this store that was read.
  ///
  /// - Returns: Whether it is one that this store has sent.
  mutating func settle(by text: [UInt8]) -> Bool {
    if let next = self.expected.first {
      self.expected.removeFirst()
      return next == text
    }
    guard self.isOpen else { return false }
    if self.texts.first == text {
      self.arrived.insert(self.number)
      self.expected = self.texts.dropFirst()
    } else if !self.withdrawals.contains(text) {
      return false
    }
    self.isOpen = false
    return true
  }

  /// Whether an append is in the log; `true` only once.
  mutating func takeArrived(_ number: Int) -> Bool {
    self.arrived.remove(number) != nil
  }
}
