/// A stack that retains its memory when it shrinks, and whose elements can be moved out in bulk.
struct ParseStack<Element>: ~Copyable {
  private(set) var count = 0
  private(set) var capacity: Int
  private var elements: UnsafeMutablePointer<Element>

  /// The initial capacity, and the one after a long text.
  private static var minCapacity: Int { 64 }

  /// The maximum capacity that is retained for the next text.
  static var maxRetainedCapacity: Int { 4 * Self.minCapacity }

  init() {
    self.capacity = Self.minCapacity
    self.elements = .allocate(capacity: Self.minCapacity)
  }

  deinit {
    self.elements.deinitialize(count: self.count)
    self.elements.deallocate()
  }
}

extension ParseStack {
  @inline(__always)
  mutating func push(_ element: consuming Element) {
    if self.count == self.capacity {
      self.grow()
    }
    (self.elements + self.count).initialize(to: element)
    self.count &+= 1
  }

  var last: Element? {
    self.count > 0 ? self.elements[self.count &- 1] : nil
  }

  mutating func pop() -> Element? {
    guard self.count > 0 else { return nil }
    self.count -= 1
    return (self.elements + self.count).move()
  }

  /// The elements from an index on. If they are moved out, the caller must drop them.
  func elements(from start: Int) -> UnsafeMutableBufferPointer<Element> {
    UnsafeMutableBufferPointer(start: self.elements + start, count: self.count - start)
  }

  /// Drops elements that were moved out, without deinitializing them.
  mutating func dropMoved(from start: Int) {
    self.count = start
  }

  /// Drops `gap` elements at `start` that were moved out, and closes the gap.
  mutating func dropMovedPrefix(_ gap: Int, from start: Int) {
    (self.elements + start).moveInitialize(
      from: self.elements + start + gap, count: self.count - start - gap)
    self.count -= gap
  }

  /// Memory for at least `more` elements after the last one, to be initialized by the caller.
  mutating func room(for more: Int) -> UnsafeMutableBufferPointer<Element> {
    while self.capacity - self.count < more {
      self.grow()
    }
    return UnsafeMutableBufferPointer(
      start: self.elements + self.count, count: self.capacity - self.count)
  }

  /// Appends elements that the caller has initialized in ``room(for:)``.
  mutating func append(initialized more: Int) {
    self.count += more
  }

  /// Removes all elements, and frees the memory of a long text.
  mutating func reset() {
    if self.count > 0 {
      self.elements.deinitialize(count: self.count)
      self.count = 0
    }
    guard self.capacity > Self.maxRetainedCapacity else { return }
    self.elements.deallocate()
    self.capacity = Self.minCapacity
    self.elements = .allocate(capacity: Self.minCapacity)
  }

  private mutating func grow() {
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: 2 * self.capacity)
    larger.moveInitialize(from: self.elements, count: self.count)
    self.elements.deallocate()
    self.elements = larger
    self.capacity *= 2
  }
}
