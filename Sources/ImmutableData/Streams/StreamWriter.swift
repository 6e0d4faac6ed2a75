/// The writing end of a stream.
protocol StreamWriter<Element>: AnyObject, Sendable {
  associatedtype Element: Sendable

  /// Whether a dispatch must wait until this stream has space.
  var isBlocking: Bool { get }

  /// Waits until the stream has space, or has ended.
  func waitForSpace()

  /// Adds an element; may drop one or end the stream, as its ``OverflowPolicy`` says. A dropped
  /// element lives until ``releaseDropped()``.
  ///
  /// - Returns: Whether the element exceeds the capacity, with ``OverflowPolicy/block``.
  func write(_ element: Element) -> Bool

  /// Releases the elements that ``write(_:)`` has dropped. Not called under a lock: their
  /// deinitializers may use the store.
  func releaseDropped()

  /// Ends the stream after its unread elements.
  func finish()
}
