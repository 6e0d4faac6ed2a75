import Dispatch
import ImmutableData
import Threading

extension EffectRunner {
  /// Starts the effects of what stands in for a store on the main actor, for all actions that its
  /// stream delivers from now on.
  @MainActor
  convenience init<State, Action>(
    _ effects: any Effects<State, Action>,
    ofMainActorStore store: some Dispatcher<State, Action> & Selector<State>
      & Streamer<State, Action> & AnyObject,
    functions: EffectFunctions, failures: EffectFailures
  ) {
    let queue = EffectQueue()
    let stream = store.makeStream()
    let weakStore = { @Sendable [weak store] () throws(EngineError) in
      guard !queue.isClosed else { throw .cancelledListener }
      guard let store else { throw .released }
      return store
    }
    self.init(effects, queue, functions, failures) { () throws(EngineError) in
      let store = try weakStore()
      return MainActorCall.run { store.state }
    } send: { action in
      let store = try weakStore()
      try MainActorCall.run { Result { try store.dispatch(action: action) } }.get()
    } hasStore: {
      (try? weakStore()) != nil
    } subscribe: { context in
      let task = Task { @MainActor [weak store] in
        for try await (oldState, action) in stream {
          guard !Task.isCancelled, let store else { return }
          let effect = effects.effect(of: action, from: oldState, to: store.state)
          if let effect { context.perform(effect) }
        }
      }
      return Subscription { task.cancel() }
    }
  }
}

/// A call that runs on the main actor while another thread waits for its output.
private final class MainActorCall<Output: Sendable>: Sendable {
  private let output = Mutex<Output?>(nil)
  private let hasEnded = Condition()

  /// The main actor does not wait for itself.
  static func run(_ body: @escaping @MainActor @Sendable () -> Output) -> Output {
    if MainQueue.isCurrent { return MainActor.assumeIsolated(body) }
    let call = MainActorCall()
    Task { @MainActor in
      let output = body()
      call.output.withLock { $0 = output }
      call.hasEnded.broadcast()
    }
    while true {
      let output = call.output.withLock(after: call.hasEnded) {
        $0 != nil
      } do: {
        $0
      }
      if let output { return output }
    }
  }
}

/// The queue of the main actor. Its thread changes: an asynchronous `main` that suspends leaves it
/// to another one.
enum MainQueue {
  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  /// Whether the calling thread runs code of the main actor.
  static var isCurrent: Bool {
    DispatchQueue.getSpecific(key: self.key) == true
  }
}

extension EngineError {
  static var settledOnMainActor: EngineError {
    EngineError(
      .reentrant,
      "the effects of this listener dispatch on the main actor, which would wait for itself; "
        + "settle on another thread")
  }
}
