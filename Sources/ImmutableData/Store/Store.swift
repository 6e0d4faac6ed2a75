import Synchronization
import Threading

/// One state, which only its reducer may replace.
///
/// ```swift
/// let store = Store<Int, Int>(initialState: 0) { state, action in state + action }
/// try store.dispatch(action: 2)
/// store.state  // 2
/// ```
///
/// A store may be used from any thread. Dispatches are serialized; reads never wait for a reducer.
/// If the reducer throws, the state stays as it was. The reducer must be pure: if it dispatches to
/// any store, or uses its own store at all, the dispatch fails with ``ReentrancyError``.
public final class Store<State, Action>: @unchecked Sendable
where State: Sendable, Action: Sendable {
  typealias Element = (action: Action, oldState: State, newState: State)

  package let reducer: Reducer<State, Action>
  let registrar = StreamRegistrar<Element>()
  let notifier = SerialNotifier()

  /// Stored, because generic code looks up the type at run time for each use.
  let transitionType = Transition<State, Action>.self

  /// Held for a whole dispatch, including the reducer.
  let dispatchLock = Lock()

  /// Guards the properties below. Held for a few instructions at a time, so that readers never wait
  /// for a reducer.
  let stateLock = Lock()

  /// Replaced only while the dispatch lock is held, too.
  var current: State
  var hasSubscribers = false

  /// The number of commits, which is read without the lock. It grows with the lock held.
  private let commits = Atomic(0)

  /// Creates a store.
  ///
  /// - Parameters:
  ///   - state: The state before the first action.
  ///   - reducer: Turns a state and an action into the next state, or throws.
  public init(
    initialState state: State,
    reducer: @escaping Reducer<State, Action>
  ) {
    self.reducer = reducer
    self.current = state
  }
}

extension Store: Selector {
  /// A snapshot of the current state.
  public nonisolated var state: State {
    self.snapshot()
  }

  public nonisolated func select<T>(_ selector: @Sendable (State) -> T) -> T where T: Sendable {
    selector(self.snapshot())
  }

  func snapshot() -> State {
    self.recordViolation(.select)
    self.stateLock.lock()
    defer { self.stateLock.unlock() }
    return self.current
  }
}

extension Store {
  /// A number that grows with each successful dispatch. A state that is read after the version
  /// belongs to that version or a later one.
  package var version: Int {
    self.commits.load(ordering: .acquiring)
  }

  /// Called with the lock held, after the state was replaced.
  func advanceVersion() {
    self.commits.add(1, ordering: .releasing)
  }
}
