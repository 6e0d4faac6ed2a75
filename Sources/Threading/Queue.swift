/// A first-in, first-out queue. Its operations are O(1) amortized.
///
/// Inlinable, as ``Mutex`` is: unspecialized code looks up generic types at run time.
public struct Queue<Element> {
  /// In reverse order: the oldest element is last.
  @usableFromInline var outgoing: [Element] = []
  @usableFromInline var incoming: [Element] = []

  @inlinable
  public init() {}
}

extension Queue: Sendable where Element: Sendable {}

extension Queue {
  @inlinable
  public var count: Int {
    self.outgoing.count + self.incoming.count
  }

  @inlinable
  public var isEmpty: Bool {
    self.outgoing.isEmpty && self.incoming.isEmpty
  }

  /// The oldest element.
  @inlinable
  public var first: Element? {
    self.outgoing.last ?? self.incoming.first
  }

  @inlinable
  public mutating func append(_ element: Element) {
    self.incoming.append(element)
  }

  /// Removes and returns the oldest element.
  @inlinable
  public mutating func popFirst() -> Element? {
    if self.outgoing.isEmpty {
      guard self.incoming.count > 1 else { return self.incoming.popLast() }
      self.outgoing = self.incoming.reversed()
      self.incoming = []
    }
    return self.outgoing.popLast()
  }
}

/// A claim on work that one thread at a time does, as part of the state of a ``Mutex``.
///
/// A thread that finds the work claimed leaves its own part to the thread that has the claim. So no
/// thread waits for another, and the parts stay in order.
public struct Claim: Sendable {
  @usableFromInline package var isTaken = false

  @inlinable
  public init() {}
}

extension Claim {
  /// - Returns: Whether the caller has the claim from now on. `false` if it was taken.
  @inlinable
  public mutating func take() -> Bool {
    defer { self.isTaken = true }
    return !self.isTaken
  }

  @inlinable
  public mutating func release() {
    self.isTaken = false
  }

  /// Removes and returns the oldest part of the work. Releases the claim if there is none.
  @inlinable
  public mutating func next<Part>(of parts: inout Queue<Part>) -> Part? {
    let part = parts.popFirst()
    if part == nil { self.release() }
    return part
  }
}
