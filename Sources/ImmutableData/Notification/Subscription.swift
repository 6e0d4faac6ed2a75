/// Has a function be told of what a store's dispatches do, for as long as this is held.
///
/// Made by ``Store/subscribe(beginning:_:)``.
public final class Subscription: Sendable {
  private let onCancel: @Sendable () -> Void

  init(onCancel: @escaping @Sendable () -> Void) {
    self.onCancel = onCancel
  }

  deinit {
    self.cancel()
  }

  /// Ends it. When this returns, the function neither runs nor will run; save when it is called by
  /// that function: then that is so when the function has returned. A second time it does nothing.
  public func cancel() {
    self.onCancel()
  }
}
