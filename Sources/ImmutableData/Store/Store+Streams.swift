extension Store: Streamer {
  /// Makes a stream that holds up to 1,024 unread actions.
  ///
  /// If its reader falls further behind, the stream ends after those actions. To choose the
  /// capacity and the overflow policy, and to detect an overflow, use
  /// ``makeStream(capacity:overflow:)``.
  public nonisolated func makeStream() -> AsyncStream<(oldState: State, action: Action)> {
    self.recordViolation(.makeStream)
    return self.registrar.makeStream { ($0.oldState, $0.action) }
  }

  /// Makes a stream that holds up to `capacity` unread actions.
  ///
  /// - Parameters:
  ///   - capacity: At least 1; a smaller number counts as 1.
  ///   - overflow: What happens to an action when the stream is full.
  public func makeStream(
    capacity: Int, overflow: OverflowPolicy = .fail
  ) -> BoundedStream<(oldState: State, action: Action)> {
    self.recordViolation(.makeStream)
    return self.registrar.makeStream(capacity: capacity, overflow: overflow) {
      ($0.oldState, $0.action)
    }
  }

  /// Makes a stream of actions with the states before and after them, which a thread reads, without
  /// Swift concurrency.
  ///
  /// - Parameters:
  ///   - capacity: At least 1; a smaller number counts as 1.
  ///   - overflow: What happens to an action when the stream is full.
  ///   - isIncluded: Whether the stream gets an action. Called with the dispatch lock held, so it
  ///     must not use the store.
  public func makeReader(
    capacity: Int = 1024, overflow: OverflowPolicy = .fail,
    where isIncluded:
      @escaping @Sendable (
        (action: Action, oldState: State, newState: State)
      ) -> Bool = { _ in true }
  ) -> StreamReader<(action: Action, oldState: State, newState: State)> {
    self.recordViolation(.makeStream)
    return self.registrar.makeReader(capacity: capacity, overflow: overflow, where: isIncluded)
  }
}

extension Store {
  /// The number of actions that exceeded the capacity of a stream, with ``OverflowPolicy/block``.
  package var overruns: Int {
    self.registrar.overruns
  }

  /// Ends every stream after its unread actions. Streams that are made later have ended already.
  package func finishStreams() {
    self.registrar.finish()
  }
}
