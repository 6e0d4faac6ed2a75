/// How a reducer can leave a change of the state to its store, which makes it in place if nobody else
/// has the state.
///
/// Used by one thread at a time, that which holds the dispatch lock.
package final class DeferredChange<State>: @unchecked Sendable {
  private let makeChange: (inout State, AnyObject) -> Void

  /// Whether the reducer may leave a change.
  package internal(set) var isAllowed = false

  private var change: AnyObject?

  /// - Parameter makeChange: Called with the locks of the store held: it must run no code of the
  ///   program, and destroy nothing large.
  package init(_ makeChange: @escaping (inout State, _ change: AnyObject) -> Void) {
    self.makeChange = makeChange
  }

  /// Leaves a change. Called by a reducer that is allowed to; the store then ignores the state that
  /// it returns.
  package func leave(_ change: AnyObject) {
    self.change = change
  }

  package var isPending: Bool {
    self.change != nil
  }

  /// The change that the reducer has left. Called after it.
  func take() -> AnyObject? {
    self.isAllowed = false
    return self.change.take()
  }

  func make(_ change: AnyObject, in state: inout State) {
    self.makeChange(&state, change)
  }
}
