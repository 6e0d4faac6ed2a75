/// Shows the progress of orders outside of the user interface, such as on a lock screen.
///
/// Calls are made on threads of the engine, one at a time for each store.
public protocol ActivitySession: Sendable {
  /// The order is now being prepared.
  func startActivity(order: Order)

  /// The order is no longer being prepared, or was removed.
  func endActivity(order: Order)
}
