/// A claim on work that one thread at a time does, as part of the state of a ``Mutex``.
///
/// A thread that finds the work claimed leaves its own part to the thread that has the claim. So no
/// thread waits for another, and the parts stay in order.
public struct Claim: Sendable {
  @usableFromInline var isTaken = false

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
