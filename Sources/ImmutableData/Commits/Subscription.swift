/// Calls a function after each dispatch of a store, for as long as this object is retained.
///
/// Made by ``Store/subscribe(beginning:_:)``.
public final class Subscription: Sendable {
  private let onCancel: @Sendable () -> Void

  package init(onCancel: @escaping @Sendable () -> Void) {
    self.onCancel = onCancel
  }

  deinit {
    self.cancel()
  }

  /// Ends the subscription. When this returns, the function neither runs nor will run.
  ///
  /// Inside the function itself, and inside any other callback, this does not wait for a call in
  /// progress, which is then the last. Further calls do nothing.
  public func cancel() {
    self.onCancel()
  }
}
