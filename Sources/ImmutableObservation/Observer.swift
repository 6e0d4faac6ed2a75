import Threading

public import ImmutableData

/// Publishes the output of a selector for the state of a store, whenever it changes.
///
/// ```swift
/// let observer = Observer(
///   filter: AnimalsFilter.filterCategories(),
///   dependencySelector: ObserverSelector(select: AnimalsState.selectCategories()),
///   outputSelector: ObserverSelector(select: AnimalsState.selectCategoriesValues(sort: \.name)))
/// observer.listen(to: store)
/// observer.output  // [Amphibian, …]
/// ```
///
/// For each dispatch, in dispatch order and before the dispatch returns:
///
/// 1. The filter is called. If it returns `false`, nothing else happens.
/// 2. All dependencies are read, and compared with their previous values up to the first that
///    changed. If none changed, nothing else happens.
/// 3. The output is read, for the state right after the dispatch.
/// 4. If it differs from the last published output, it is published: ``output`` is set, and its
///    trackers (`withObservationTracking`) are notified.
///
/// A batch is one dispatch. It passes the filter if one of its actions does; the filter gets each
/// action with the state before the batch. The filter, selectors and trackers may use the store.
///
/// Retain the observer: it stops observing when it is released. It does not retain its store. It
/// may be used from any thread.
public final class Observer<State, Action, Output>: @unchecked Sendable
where State: Sendable, Action: Sendable, Output: Sendable {
  public typealias Filter = @Sendable (State, Action) -> Bool

  private typealias Configuration = ObserverConfiguration<State, Action, Output>
  private typealias Session = ObserverSession<State, Action, Output>

  private let published = PublishedOutput<Output>()

  /// Guards the properties below. Not held while other code runs.
  private let access = Lock()
  private var id: AnyHashable?
  private var configuration: Configuration
  private weak var store: AnyObject?
  /// Distinguishes the current subscription from previous ones, whose calls are ignored.
  private var generation = 0
  private var subscription: Subscription?
  private var session: Session?

  private init(id: AnyHashable?, _ configuration: Configuration) {
    self.id = id
    self.configuration = configuration
  }

  /// Creates an observer. It has no output before it listens to a store.
  ///
  /// - Parameters:
  ///   - label: Its name in its description.
  ///   - filter: Whether an action may change the output. Without a filter, every action may.
  ///   - dependencySelector: The parts of the state that the output depends on. Without any, it
  ///     depends on the whole state.
  ///   - outputSelector: Selects the output.
  ///   - coalesces: Whether to read the store's current state rather than the state right after the
  ///     dispatch, so that intermediate states may be skipped.
  public convenience init<each Dependency>(
    label: String? = nil, filter: Filter? = nil,
    dependencySelector: repeat ObserverSelector<State, each Dependency>,
    outputSelector: ObserverSelector<State, Output>, coalesces: Bool = false
  ) {
    self.init(
      id: nil,
      Configuration(
        label, filter, repeat each dependencySelector, output: outputSelector,
        coalesces: coalesces))
  }

  /// Creates an observer with an identity, which
  /// ``update(id:label:filter:dependencySelector:outputSelector:coalesces:)`` compares.
  public convenience init<each Dependency>(
    id: some Hashable, label: String? = nil, filter: Filter? = nil,
    dependencySelector: repeat ObserverSelector<State, each Dependency>,
    outputSelector: ObserverSelector<State, Output>, coalesces: Bool = false
  ) {
    self.init(
      id: AnyHashable(id),
      Configuration(
        label, filter, repeat each dependencySelector, output: outputSelector,
        coalesces: coalesces))
  }

  deinit {
    self.subscription?.cancel()
  }
}

// MARK: Output

extension Observer {
  /// The last published output; `nil` before it first listens. Tracked by `Observation`.
  ///
  /// A tracker registers after it has read the output, so it misses an output that another thread
  /// publishes in between. Track on the thread that dispatches, or read ``makeStream()``.
  public var output: Output? {
    self.published.output
  }

  /// Makes a stream of the current output, if any, and of the outputs published from now on.
  ///
  /// A reader that falls behind skips to the latest output. It always gets that one, whichever
  /// thread publishes it. The stream ends when the observer is released.
  public func makeStream() -> AsyncStream<Output> {
    self.published.makeStream()
  }

  private func publish(_ output: Output, for generation: Int) {
    self.access.lock()
    let isCurrent = generation == self.generation
    self.access.unlock()
    if isCurrent {
      self.published.publish(output)
    }
  }
}

// MARK: Listening

extension Observer {
  /// Starts to observe a store, instead of the previous one.
  ///
  /// Reads everything once, ignoring the filter, and publishes the output before it returns. Inside
  /// a callback while another thread notifies, that thread publishes the output, maybe later. Does
  /// nothing if the observer already listens to this store. In a reducer of the store this is an
  /// error: the dispatch fails, and the observer does not listen.
  public func listen(to store: Store<State, Action>) {
    guard store.commits.forbid(.subscribe, in: .current) == nil,
      let (generation, configuration) = self.beginListening(to: store)
    else { return }
    let current: @Sendable () -> State? = { [weak store] in
      configuration.coalesces ? store?.state : nil
    }
    let subscription = store.subscribe { state in
      self.begin(configuration, state, for: generation, current: current)
    } _: { [weak self] commit in
      self?.session(for: generation)?.update(commit)
    }
    self.set(subscription, for: generation)
  }

  /// Starts to observe what stands in for a store, such as a test double on the main actor.
  ///
  /// Reads everything once, ignoring the filter, and publishes the output before it returns. Then
  /// it reads the stream of actions. For each action that passes the filter it reads the state at
  /// that time, so it skips intermediate states, and publishes after the dispatch has returned. It
  /// stops when the stream ends or throws. It does not retain the store.
  @MainActor
  public func listen(
    to store: some ImmutableData.Selector<State> & Streamer<State, Action> & AnyObject
  ) {
    guard let (generation, configuration) = self.beginListening(to: store) else { return }
    // Before the state is read, so that no action is missed.
    let stream = store.makeStream()
    self.begin(configuration, store.state, for: generation) { nil }
    let task = Task { @MainActor [weak self, weak store] in
      for try await (oldState, action) in stream {
        guard let session = self?.session(for: generation) else { return }
        guard session.includes(oldState, action) else { continue }
        guard let state = store?.state else { return }
        session.update(state)
      }
    }
    self.set(Subscription { task.cancel() }, for: generation)
  }

  /// Detaches from the previous store.
  ///
  /// - Returns: The new generation and its configuration; `nil` if the observer already listens to
  ///   this store.
  private func beginListening(
    to store: AnyObject
  ) -> (generation: Int, configuration: Configuration)? {
    self.access.lock()
    let previous = self.store
    guard previous !== store else {
      self.access.unlock()
      return nil
    }
    let old = self.detach()
    self.store = store
    let generation = self.generation
    let configuration = self.configuration
    self.access.unlock()
    // Released without the lock: this may be the last reference.
    withExtendedLifetime(previous) {}
    old.end()
    return (generation, configuration)
  }

  private func begin(
    _ configuration: Configuration, _ state: State, for generation: Int,
    current: @escaping @Sendable () -> State?
  ) {
    let session = Session(configuration, state, current: current) { [weak self] in
      self?.publish($0, for: generation)
    }
    self.set(session, for: generation)
  }

  /// Stops observing. ``output`` keeps its value until the observer listens again.
  public func cancel() {
    self.access.lock()
    let old = self.detach()
    self.access.unlock()
    old.end()
  }

  /// What the observer had while it listened.
  private struct Listening {
    let subscription: Subscription?
    let session: Session?

    /// Cancels the subscription and releases the session, which has parts of old states. Not called
    /// under the lock: both can run other code.
    func end() {
      self.subscription?.cancel()
      withExtendedLifetime(self.session) {}
    }
  }

  /// Detaches from the store. Called under the lock.
  private func detach() -> Listening {
    let old = Listening(subscription: self.subscription, session: self.session)
    (self.store, self.subscription, self.session) = (nil, nil, nil)
    self.generation += 1
    return old
  }

  /// Sets the session, unless the observer has detached meanwhile.
  private func set(_ session: Session, for generation: Int) {
    self.access.lock()
    defer { self.access.unlock() }
    if generation == self.generation {
      self.session = session
    }
  }

  private func session(for generation: Int) -> Session? {
    self.access.lock()
    defer { self.access.unlock() }
    return generation == self.generation ? self.session : nil
  }

  /// Sets the subscription, or cancels it if the observer has detached meanwhile.
  private func set(_ subscription: Subscription, for generation: Int) {
    self.access.lock()
    let isCurrent = generation == self.generation
    if isCurrent {
      self.subscription = subscription
    }
    self.access.unlock()
    if !isCurrent {
      subscription.cancel()
    }
  }
}

// MARK: Updating

extension Observer {
  /// Replaces the configuration if `id` differs from the current one. The observer then detaches
  /// from its store, and keeps its output until it listens again. With an equal `id`, does nothing.
  public func update<each Dependency>(
    id: some Hashable, label: String? = nil, filter: Filter? = nil,
    dependencySelector: repeat ObserverSelector<State, each Dependency>,
    outputSelector: ObserverSelector<State, Output>, coalesces: Bool = false
  ) {
    self.replace(
      id: AnyHashable(id),
      Configuration(
        label, filter, repeat each dependencySelector, output: outputSelector,
        coalesces: coalesces))
  }

  /// Removes the `id` and replaces the configuration; does nothing if the observer has no `id`. The
  /// observer then detaches from its store, and keeps its output until it listens again.
  public func update<each Dependency>(
    label: String? = nil, filter: Filter? = nil,
    dependencySelector: repeat ObserverSelector<State, each Dependency>,
    outputSelector: ObserverSelector<State, Output>, coalesces: Bool = false
  ) {
    self.replace(
      id: nil,
      Configuration(
        label, filter, repeat each dependencySelector, output: outputSelector,
        coalesces: coalesces))
  }

  private func replace(id: AnyHashable?, _ configuration: Configuration) {
    self.access.lock()
    let current = self.id
    self.access.unlock()
    // Without the lock: this is code of the program.
    guard id != current else { return }

    self.access.lock()
    let replaced = (self.id, self.configuration)
    (self.id, self.configuration) = (id, configuration)
    let old = self.detach()
    self.access.unlock()
    old.end()
    withExtendedLifetime(replaced) {}
  }
}

extension Observer: CustomStringConvertible {
  public var description: String {
    self.access.lock()
    defer { self.access.unlock() }
    return "Observer(\(self.configuration.label ?? ""))"
  }
}
