import Dispatch
import ImmutableData
import Testing

@Suite struct ReentrancyTests {
  enum Action: Sendable {
    case nothing, dispatch, dispatchAndIgnore, batch, select, makeStream, makeBoundedStream,
      makeReader, subscribe, undo, redo, travel, group, markClean, history
  }

  /// Lets a reducer access its store.
  private final class StoreReference: @unchecked Sendable {
    weak var store: Store<Int, Action>?
  }

  private let store: Store<Int, Action>

  init() {
    let reference = StoreReference()
    self.store = Store(initialState: 0, history: HistoryOptions()) { state, action in
      switch action {
      case .nothing: break
      case .dispatch: try reference.store?.dispatch(action: .nothing)
      case .dispatchAndIgnore: try? reference.store?.dispatch(action: .nothing)
      case .batch: try reference.store?.dispatch(batch: [.nothing])
      case .select: _ = reference.store?.state
      case .makeStream: _ = reference.store?.makeStream()
      case .makeBoundedStream: _ = reference.store?.makeStream(capacity: 1)
      case .makeReader: _ = reference.store?.makeReader()
      case .subscribe: _ = reference.store?.subscribe { _ in }
      case .undo: _ = try? reference.store?.undo()
      case .redo: _ = try? reference.store?.redo()
      case .travel: try? reference.store?.travel(to: 0)
      case .group: try? reference.store?.group {}
      case .markClean: try? reference.store?.markClean()
      case .history: _ = reference.store?.history
      }
      return state + 1
    }
    reference.store = self.store
  }

  @Test(arguments: [
    (Action.dispatch, ReentrancyError.Operation.dispatch),
    (.dispatchAndIgnore, .dispatch),
    (.batch, .dispatch),
    (.select, .select),
    (.makeStream, .makeStream),
    (.makeBoundedStream, .makeStream),
    (.makeReader, .makeStream),
    (.subscribe, .subscribe),
    (.undo, .dispatch),
    (.redo, .dispatch),
    (.travel, .dispatch),
    (.group, .use),
    (.markClean, .use),
    (.history, .select),
  ])
  func aReducerMustNotUseItsStore(
    _ action: Action, _ operation: ReentrancyError.Operation
  ) throws {
    #expect(throws: ReentrancyError(operation: operation)) {
      try self.store.dispatch(action: action)
    }
    #expect(self.store.state == 0)
    try self.store.dispatch(action: .nothing)
    #expect(self.store.state == 1)
  }

  @Test func messages() {
    #expect(
      ReentrancyError(operation: .dispatch).description
        == "a reducer dispatched an action; return the next state instead, "
        + "and dispatch further actions after the first dispatch returned")
    #expect(
      ReentrancyError(operation: .use).description
        == "a reducer used its own store; use it before the dispatch or after it returned")
  }

  @Test func aReducerMayReadAnotherStore() throws {
    let other = makeSumStore()
    try other.dispatch(action: 3)
    let store = Store<Int, Int>(initialState: 0) { state, action in state + other.state }
    try store.dispatch(action: 1)
    #expect(store.state == 3)
  }

  @Test(arguments: [false, true])
  func aReducerMustNotDispatchToAnotherStore(_ ignores: Bool) throws {
    let other = makeSumStore()
    let store = Store<Int, Int>(initialState: 0) { state, action in
      do {
        try other.dispatch(action: action)
      } catch {
        if !ignores { throw error }
      }
      return state + 1
    }
    #expect(throws: ReentrancyError(operation: .dispatch)) { try store.dispatch(action: 3) }
    #expect(store.state == 0)
    #expect(other.state == 0)
    try other.dispatch(action: 1)
    #expect(other.state == 1)
  }

  @Test func reentrancyHidesALaterErrorOfTheReducer() throws {
    let reference = StoreReference()
    let store = Store<Int, Action>(initialState: 0) { _, _ in
      _ = reference.store?.state
      throw Refusal(action: 0)
    }
    reference.store = store
    #expect(throws: ReentrancyError(operation: .select)) { try store.dispatch(action: .nothing) }
  }

  @Test func otherThreadsReadDuringAReducer() async throws {
    let store = Store<Int, @Sendable () -> Int>(initialState: 41) { _, action in action() }
    let (requests, request) = AsyncStream.makeStream(of: Void.self)
    let answer = DispatchSemaphore(value: 0)
    let reader = Task.detached {
      for await _ in requests {
        let state = store.state
        answer.signal()
        return state
      }
      return 0
    }
    // The reducer returns only after another thread has read the state.
    try await withCheckedThrowingContinuation { done in
      DispatchQueue.global().async {
        done.resume(
          with: Result {
            try store.dispatch {
              request.yield()
              answer.wait()
              return 42
            }
          })
      }
    }
    #expect(await reader.value == 41)
    #expect(store.state == 42)
  }
}
