extension AnyStore {
  /// Opens a stream of the actions that are dispatched from now on.
  public func makeStream(_ options: StreamOptions = .init()) throws(EngineError) -> ActionStream {
    try self.requireOpen(for: .makeStream)
    return ActionStream(self.implementation.makeReader(options)) { [weak self] in
      try self?.implementation.refuseReentrancy(.makeStream)
    }
  }
}
