/// The first elements, in a given order, of those that were inserted.
///
/// A binary heap whose root is the last of them: usually one comparison shows that another element
/// is not among the first.
struct BoundedHeap<Element> {
  /// The first elements, in the order of the heap.
  private(set) var elements: [Element] = []

  private let capacity: Int
  private let areInOrder: (Element, Element) -> Bool

  /// - Parameters:
  ///   - capacity: How many elements to keep; none if it is negative.
  ///   - areInOrder: Whether the first element comes before the second.
  init(capacity: Int, areInOrder: @escaping (Element, Element) -> Bool) {
    self.capacity = max(capacity, 0)
    self.areInOrder = areInOrder
  }
}

extension BoundedHeap {
  /// Inserts an element, and removes the last one if there are too many. O(log `capacity`).
  mutating func insert(_ element: Element) {
    if self.elements.count < self.capacity {
      self.elements.append(element)
      self.moveUp(self.elements.count - 1)
    } else if let last = self.elements.first, self.areInOrder(element, last) {
      self.elements[0] = element
      self.moveDown(0)
    }
  }

  private mutating func moveUp(_ start: Int) {
    var index = start
    while index > 0 {
      let parent = (index - 1) / 2
      guard self.areInOrder(self.elements[parent], self.elements[index]) else { return }
      self.elements.swapAt(parent, index)
      index = parent
    }
  }

  private mutating func moveDown(_ start: Int) {
    var index = start
    while true {
      var last = index
      for child in 2 * index + 1...2 * index + 2 where child < self.elements.count {
        if self.areInOrder(self.elements[last], self.elements[child]) { last = child }
      }
      if last == index { return }
      self.elements.swapAt(index, last)
      index = last
    }
  }
}
