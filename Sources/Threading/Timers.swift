import HeapModule

/// Elements that wait for a time. To add, to remove and to take one is O(log n).
package struct Timers<Element> {
  package typealias ID = Int

  private struct Alarm: Comparable {
    let time: Int
    /// Of those with the same time, the one that was added first comes first.
    let id: ID

    static func < (left: Self, right: Self) -> Bool {
      (left.time, left.id) < (right.time, right.id)
    }
  }

  private var elements: [ID: Element] = [:]
  /// Also of elements that were removed; the first one is of none of these.
  private var alarms = Heap<Alarm>()
  private var lastID = 0

  package init() {}
}

extension Timers: Sendable where Element: Sendable {}

extension Timers {
  package var isEmpty: Bool {
    self.elements.isEmpty
  }

  /// The first time that one waits for.
  package var first: Int? {
    self.alarms.min?.time
  }

  package mutating func append(_ element: Element, at time: Int) -> ID {
    self.lastID += 1
    self.elements[self.lastID] = element
    self.alarms.insert(Alarm(time: time, id: self.lastID))
    return self.lastID
  }

  @discardableResult
  package mutating func remove(_ id: ID) -> Element? {
    let element = self.elements.removeValue(forKey: id)
    self.dropAlarms()
    return element
  }

  /// Takes the element with the first time, if that is not after `time`.
  package mutating func popFirst(until time: Int) -> Element? {
    guard let alarm = self.alarms.min, alarm.time <= time else { return nil }
    self.alarms.removeMin()
    let element = self.elements.removeValue(forKey: alarm.id)
    self.dropAlarms()
    return element
  }

  /// Drops alarms of removed elements: those that would come first, and all when most are.
  private mutating func dropAlarms() {
    if self.alarms.count > 2 * self.elements.count + 16 {
      self.alarms = Heap(self.alarms.unordered.filter { self.elements[$0.id] != nil })
    }
    while let alarm = self.alarms.min, self.elements[alarm.id] == nil { self.alarms.removeMin() }
  }
}
