/// The writing end of a stream.
protocol StreamWriter<Element>: AnyObject, Sendable {
  associatedtype Element: Sendable

  /// Whether a dispatch must wait until this stream's reader makes room.
  var isBlocking: Bool { get }

  /// Waits until the reader makes room, or the stream ends.
  func waitForRoom()

  /// Adds an element; may drop one or end the stream, as its ``OverflowPolicy`` says.
  ///
  /// - Returns: Whether the element exceeds the capacity, under ``OverflowPolicy/block``.
  func write(_ element: Element) -> Bool

  /// Ends the stream after its unread elements.
  func finish()
}
