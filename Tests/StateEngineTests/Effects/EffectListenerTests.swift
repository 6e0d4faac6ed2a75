import ImmutableData
import StateEngine
import TestSupport
import Testing
import Threading

/// Effects of a program's own typed store.
@Suite struct EffectListenerTests {
  enum Action: Sendable {
    case start
    case didTick
  }

  /// Ticks until a number is reached.
  private struct Ticking: Effects {
    let last: Int

    func effect(of action: Action, from oldState: Int, to newState: Int) -> Effect<Int, Action>? {
      guard newState < self.last else { return nil }
      return { try $0.dispatch(.didTick) }
    }
  }

  private let store = Store<Int, Action>(initialState: 0) { state, action in
    switch action {
    case .start: state
    case .didTick: state + 1
    }
  }

  @Test func effectsDispatchToATypedStore() throws {
    let listener = EffectListener { Ticking(last: 3) }
    listener.listen(to: self.store)
    try self.store.dispatch(action: .start)
    try listener.settle()
    #expect(self.store.state == 3)
  }

  /// Records its calls, which are synchronous.
  private final class Recording: Effects {
    private let calls = Mutex<[String]>([])

    /// Returns the calls since the last time.
    func take() -> [String] {
      self.calls.withLock { calls in
        defer { calls = [] }
        return calls
      }
    }

    func effect(of action: Action, from oldState: Int, to newState: Int) -> Effect<Int, Action>? {
      self.calls.withLock { $0.append("\(oldState) to \(newState)") }
      return nil
    }

    func begin(in context: EffectContext<Int, Action>) {
      self.calls.withLock { $0.append("begin") }
    }

    func end() {
      self.calls.withLock { $0.append("end") }
    }
  }

  @Test func effectsBeginAndEndWithEachStore() throws {
    let recording = Recording()
    let other = Store<Int, Action>(initialState: 9) { state, _ in state - 1 }
    var listener: EffectListener? = EffectListener { recording }
    listener?.listen(to: self.store)
    listener?.listen(to: self.store)
    try self.store.dispatch(batch: [.didTick, .didTick])
    #expect(recording.take() == ["begin", "0 to 1", "1 to 2"])
    listener?.listen(to: other)
    try self.store.dispatch(action: .didTick)
    try other.dispatch(action: .didTick)
    #expect(recording.take() == ["end", "begin", "9 to 8"])
    listener?.cancel()
    try other.dispatch(action: .didTick)
    #expect(recording.take() == ["end"])
    listener?.listen(to: other)
    listener = nil
    try other.dispatch(action: .didTick)
    #expect(recording.take() == ["begin", "end"])
  }

  @Test func aJumpHasNoEffects() throws {
    let recording = Recording()
    let store = Store<Int, Action>(initialState: 0, history: HistoryOptions()) { state, _ in
      state + 1
    }
    let listener = EffectListener { recording }
    listener.listen(to: store)
    try store.dispatch(action: .didTick)
    try store.undo()
    try store.redo()
    try store.travel(to: 0)
    try store.dispatch(action: .didTick)
    #expect(recording.take() == ["begin", "0 to 1", "0 to 1"])
  }

  @Test func aListenerDoesNotRetainItsStore() {
    let listener = EffectListener<Int, Action> { Ticking(last: 3) }
    weak var released: Store<Int, Action>?
    do {
      let store = Store<Int, Action>(initialState: 0) { state, _ in state }
      listener.listen(to: store)
      released = store
    }
    #expect(released == nil)
  }

  /// A wait inside a callback, an effect or a reducer would wait for itself.
  @Test func aWaitThatCouldNotEndIsRefused() throws {
    let messages = Mutex<[String]>([])
    let own = Mutex<EffectListener<Int, Action>?>(nil)
    let settle: @Sendable () -> Void = {
      do {
        try own.withLock { $0 }?.settle()
      } catch {
        messages.withLock { $0.append("\(error)") }
      }
    }
    struct Settling: Effects {
      let settle: @Sendable () -> Void

      func effect(of action: Action, from old: Int, to new: Int) -> Effect<Int, Action>? {
        { _ in self.settle() }
      }
    }
    let store = Store<Int, Action>(initialState: 0) { state, action in
      if action == .didTick { settle() }
      return state
    }
    let listener = EffectListener { Settling(settle: settle) }
    own.withLock { $0 = listener }
    listener.listen(to: store)
    try store.dispatch(action: .start)
    try listener.settle()
    #expect(throws: ReentrancyError.self) { try store.dispatch(action: .didTick) }
    let subscription = store.subscribe { _ in settle() }
    try store.dispatch(action: .start)
    subscription.cancel()
    try listener.settle()
    own.withLock { $0 = nil }
    #expect(
      messages.withLock { Set($0) } == [
        "an effect cannot wait until no effect is in flight; wait on another thread",
        "a reducer used its own store; use it before the dispatch or after it returned",
        "a callback cannot wait for effects; call this outside of callbacks",
      ])
  }

  @Test func aWaitHasATimeout() throws {
    let gate = Mutex(false)
    let opened = Condition()
    struct Waiting: Effects {
      let wait: @Sendable () -> Void

      func effect(of action: Action, from old: Int, to new: Int) -> Effect<Int, Action>? {
        { _ in self.wait() }
      }
    }
    let listener = EffectListener { Waiting { gate.wait(for: opened) { $0 } } }
    listener.listen(to: self.store)
    try self.store.dispatch(action: .start)
    #expect(throws: EngineError(.timeout, "an effect is still in flight after 1 ms")) {
      try listener.settle(milliseconds: 1)
    }
    gate.withLock { $0 = true }
    opened.broadcast()
    try listener.settle()
  }

  /// Several threads may each make sure that a listener listens before they dispatch.
  @Test func everyThreadThatListensGetsItsEffects() throws {
    for _ in 0..<200 {
      let runs = Mutex(0)
      let store = Store<Int, Action>(initialState: 0) { state, _ in state + 1 }
      let listener = EffectListener { Running { _ in runs.withLock { $0 += 1 } } }
      onThreads(2) { _ in
        listener.listen(to: store)
        try? store.dispatch(action: .start)
      }
      try listener.settle()
      #expect(store.state == 2)
      #expect(runs.withLock { $0 } == 2)
    }
  }

  /// A listener may be used by the function that creates its effects.
  @Test func aListenerCanBeCancelledWhileItBegins() throws {
    let recording = Recording()
    let own = Mutex<EffectListener<Int, Action>?>(nil)
    let listener = EffectListener<Int, Action> {
      own.withLock { $0 }?.cancel()
      return recording
    }
    own.withLock { $0 = listener }
    listener.listen(to: self.store)
    own.withLock { $0 = nil }
    #expect(recording.take() == ["begin", "end"])
    try self.store.dispatch(action: .didTick)
    #expect(recording.take().isEmpty)
    listener.listen(to: self.store)
    try self.store.dispatch(action: .didTick)
    #expect(recording.take() == ["begin", "1 to 2"])
  }

  @Test func failedEffectsAreCounted() throws {
    struct Failure: Error {}
    let listener = EffectListener<Int, Action> { Running { _ in throw Failure() } }
    #expect(listener.failedEffects == 0)
    listener.listen(to: self.store)
    try self.store.dispatch(batch: [.start, .start])
    try listener.settle()
    listener.cancel()
    #expect(listener.failedEffects == 2)
  }

  /// Runs one function for each action.
  private struct Running: Effects {
    let run: Effect<Int, Action>

    init(_ run: @escaping Effect<Int, Action>) {
      self.run = run
    }

    func effect(of action: Action, from old: Int, to new: Int) -> Effect<Int, Action>? {
      self.run
    }
  }

  /// An effect of a cancelled listener, or of a released store, cannot use the store.
  @Test(arguments: [
    (true, "the listener was cancelled; listen to the store again"),
    (false, "the store was released; retain it while its effects run"),
  ])
  func anEffectThatOutlivesItsStoreFails(_ cancels: Bool, _ message: String) throws {
    let gate = Mutex(false)
    let opened = Condition()
    let messages = Recorder<String>()
    let started = Recorder<Bool>()
    let listener = EffectListener<Int, Action> {
      Running { context in
        started.append(true)
        gate.wait(for: opened) { $0 }
        messages.append("\(failure { () throws(EngineError) in _ = try context.state } as Any)")
        do {
          try context.dispatch(.didTick)
        } catch {
          messages.append("\(error)")
        }
        throw EngineError(.io, "failed")
      }
    }
    var store: Store<Int, Action>? = Store(initialState: 0) { state, _ in state }
    if let store { listener.listen(to: store) }
    try store?.dispatch(batch: [.start, .start])
    _ = started.first()
    if cancels { listener.cancel() }
    store = nil
    gate.withLock { $0 = true }
    opened.broadcast()
    messages.wait(for: 2)
    try listener.settle()
    #expect(messages.all == ["Optional(\(message))", message])
    #expect(started.all.count == 1)
  }
}
