import ImmutableJSON
import Threading

extension AnyStore {
  /// What actions would do to the state of a store.
  public struct Preview: Sendable {
    let old: any Snapshot
    let new: any Snapshot

    /// The state after the actions. O(1) for a store of a JSON value; otherwise it is encoded.
    public func state() throws(EngineError) -> Value {
      try EngineError.catching { try self.new.value() }
    }

    /// The JSON Patch (RFC 6902) that turns the state before the actions into the one after them.
    ///
    /// - Throws: ``EngineError``: `limit` if the comparison exceeds the limit of work, or the
    ///   patch a limit of values.
    public func patch() throws(EngineError) -> Value {
      let (old, new) = try EngineError.catching { (try self.old.value(), try self.new.value()) }
      do {
        return try old.diff(to: new)
      } catch {
        throw EngineError(.limit, "the patch: \(error.message)")
      }
    }
  }

  /// Reduces an array of actions as ``dispatch(batch:)`` would, but commits nothing: the state does
  /// not change, no effects begin, and no observers and streams are notified.
  ///
  /// ```swift
  /// let preview = try store.preview([["type": "didTapIncrementButton"]])
  /// try preview.state().json  // {"value":1}
  /// try preview.patch().json  // [{"op":"replace","path":"/value","value":1}]
  /// ```
  ///
  /// With optimistic updates, the actions are reduced on the state that is shown, with a copy of
  /// the changes in flight. Waits for a running reducer.
  ///
  /// - Throws: ``EngineError``, as ``dispatch(batch:)`` does, except `timeout`.
  public func preview(_ actions: Value) throws(EngineError) -> Preview {
    try self.preview(actions, in: self.enter(.preview))
  }

  package func preview(_ actions: Value, in scope: CallScope) throws(EngineError) -> Preview {
    let actions = try actions.batchedActions
    return try Self.namingFailures(in: actions) {
      let (old, new) = try self.implementation.preview(actions, in: scope)
      return Preview(old: old, new: new)
    }
  }
}
