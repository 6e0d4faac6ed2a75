import Threading

extension EffectQueue {
  static func refuseWaitInsideCallback() throws(EngineError) {
    guard CallScope.isInsideCallback else { return }
    throw EngineError(
      .reentrant, "a callback cannot wait until no effect is in flight; wait outside of callbacks")
  }

  /// Waits until no effect is running, waiting or expected.
  ///
  /// - Parameter milliseconds: The timeout; a negative number for none.
  func settle(milliseconds: Int32) throws(EngineError) {
    guard !self.isCurrent else {
      throw EngineError(
        .reentrant, "an effect cannot wait until no effect is in flight; wait on another thread")
    }
    let deadline = milliseconds < 0 ? nil : Deadline(milliseconds: milliseconds)
    guard self.settle(until: deadline) else {
      throw EngineError(.timeout, "an effect is still in flight after \(milliseconds) ms")
    }
  }
}
