/// The writing end of a stream.
protocol StreamWriter<Element>: AnyObject, Sendable {
  associatedtype Element: Sendable

  /// Whether a dispatch must wait until this stream has space.
  var isBlocking: Bool { get }

  /// Waits until the stream has space, or has ended.
  func waitForSpace()

  /// Adds an element; may drop one or end the stream, as its ``OverflowPolicy`` says.
  ///
  /// - Returns: Whether the element exceeds the capacity, with ``OverflowPolicy/block``.
  func write(_ element: Element) -> Bool

  /// Completes writes without the locks that they are made under: releases dropped elements, whose
  /// deinitializers may use the store, and resumes tasks that wait, whose executors may.
  func flush()

  /// Ends the stream after its unread elements.
  func finish()
}
