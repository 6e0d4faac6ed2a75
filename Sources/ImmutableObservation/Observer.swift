import Threading

public import ImmutableData

/// Shows what a selector gives for the state of a store, and says when that changed.
///
/// ```swift
/// let observer = Observer(
///   filter: AnimalsFilter.filterCategories(),
///   dependencySelector: DependencySelector(select: AnimalsState.selectCategories()),
///   outputSelector: OutputSelector(select: AnimalsState.selectCategoriesValues(sort: \.name)))
/// observer.listen(to: store)
/// observer.output  // [Amphibian, …]
/// ```
///
/// For each dispatch, in their order and before the dispatch returns:
///
/// 1. The filter is asked. Where it says `false`, nothing else is done.
/// 2. Dependencies are read, all of them, and compared with those read last, up to the first that
///    changed. If none did, nothing else is done.
/// 3. The output is read, for the state right after the dispatch.
/// 4. If it changed from the output that was published last, it is published: ``output`` is set, and
///    who tracks it (`withObservationTracking`) is told.
///
/// A batch is one dispatch, which passes if one of its actions does; the filter gets each with the
/// state before the batch. All of this may use the store.
///
/// May be used from any thread. Does not keep its store alive.
public final class Observer<State, Action, Output>: @unchecked Sendable
where State: Sendable, Action: Sendable, Output: Sendable {
  public typealias Filter = @Sendable (State, Action) -> Bool

  private typealias Rules = ObserverRules<State, Action, Output>
  private typealias Session = ObserverSession<State, Action, Output>

  private let published = PublishedOutput<Output>()

  /// Guards what follows. Not held while anything of others runs.
  private let access = Lock()
  private var id: AnyHashable?
  private var rules: Rules
  private weak var store: Store<State, Action>?
  private var listening = 0
  private var subscription: Subscription?
  private var session: Session?

  private init(id: AnyHashable?, _ rules: Rules) {
    self.id = id
    self.rules = rules
  }

  /// An observer, which shows something once it listens to a store.
  ///
  /// - Parameters:
  ///   - label: What it is called in its description.
  ///   - filter: Whether an action may change the output; all may if left out.
  ///   - dependencySelector: What the output depends on; on all of the state without any.
  ///   - outputSelector: What it shows.
  ///   - coalesces: Whether only the latest matters: dependencies and output are then read from the
  ///     state at the time of reading, so that states in between may be left out.
  public convenience init<each Dependency>(
    label: String? = nil, filter: Filter? = nil,
    dependencySelector: repeat DependencySelector<State, each Dependency>,
    outputSelector: OutputSelector<State, Output>, coalesces: Bool = false
  ) {
    self.init(
      id: nil,
      Rules(
        label, filter, repeat each dependencySelector, output: outputSelector,
        coalesces: coalesces))
  }

  /// The same, with an identity: ``update(id:label:filter:dependencySelector:outputSelector:coalesces:)``
  /// with another one makes it another observer.
  public convenience init<each Dependency>(
    id: some Hashable, label: String? = nil, filter: Filter? = nil,
    dependencySelector: repeat DependencySelector<State, each Dependency>,
    outputSelector: OutputSelector<State, Output>, coalesces: Bool = false
  ) {
    self.init(
      id: AnyHashable(id),
      Rules(
        label, filter, repeat each dependencySelector, output: outputSelector,
        coalesces: coalesces))
  }

  deinit {
    self.subscription?.cancel()
  }
}

// MARK: Output

extension Observer {
  /// The output that was published last; `nil` before it first listens. Tracked by `Observation`.
  public var output: Output? {
    self.published.output
  }

  private func publish(_ output: Output, _ listening: Int) {
    self.access.lock()
    let isCurrent = listening == self.listening
    self.access.unlock()
    if isCurrent {
      self.published.output = output
    }
  }
}

// MARK: Listening

extension Observer {
  /// Shows the state of a store from now on.
  ///
  /// Reads everything once, whatever the filter is, and publishes the output, before this returns.
  /// Does nothing if it listens to that very store already.
  public func listen(to store: Store<State, Action>) {
    self.access.lock()
    guard self.store !== store else {
      self.access.unlock()
      return
    }
    let old = self.leave()
    self.store = store
    let listening = self.listening
    let rules = self.rules
    self.access.unlock()

    old?.cancel()
    let subscription = store.subscribe { state in
      let session = Session(rules, at: store, state) { [weak self] in
        self?.publish($0, listening)
      }
      self.keep(session, listening)
    } _: { [weak self] transition in
      self?.session(listening)?.update(transition)
    }
    self.keep(subscription, listening)
  }

  /// Ends it: ``output`` stays as it is, until it listens again.
  public func cancel() {
    self.access.lock()
    let subscription = self.leave()
    self.access.unlock()
    subscription?.cancel()
  }

  /// Forgets the store, under the lock.
  ///
  /// - Returns: What is to be cancelled when the lock is free.
  private func leave() -> Subscription? {
    defer {
      self.subscription = nil
      self.session = nil
    }
    self.store = nil
    self.listening += 1
    return self.subscription
  }

  private func keep(_ session: Session, _ listening: Int) {
    self.access.lock()
    defer { self.access.unlock() }
    if listening == self.listening {
      self.session = session
    }
  }

  private func session(_ listening: Int) -> Session? {
    self.access.lock()
    defer { self.access.unlock() }
    return listening == self.listening ? self.session : nil
  }

  /// Keeps a subscription, unless another came meanwhile.
  private func keep(_ subscription: Subscription, _ listening: Int) {
    self.access.lock()
    let isCurrent = listening == self.listening
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
  /// Becomes another observer if `id` is another one: it then begins anew when it next listens, and
  /// shows what it did until then. With an equal `id` everything passed is ignored.
  public func update<each Dependency>(
    id: some Hashable, label: String? = nil, filter: Filter? = nil,
    dependencySelector: repeat DependencySelector<State, each Dependency>,
    outputSelector: OutputSelector<State, Output>, coalesces: Bool = false
  ) {
    self.replace(
      id: AnyHashable(id),
      Rules(
        label, filter, repeat each dependencySelector, output: outputSelector,
        coalesces: coalesces))
  }

  /// Becomes another observer if this one has an `id`. Otherwise everything passed is ignored.
  public func update<each Dependency>(
    label: String? = nil, filter: Filter? = nil,
    dependencySelector: repeat DependencySelector<State, each Dependency>,
    outputSelector: OutputSelector<State, Output>, coalesces: Bool = false
  ) {
    self.replace(
      id: nil,
      Rules(
        label, filter, repeat each dependencySelector, output: outputSelector,
        coalesces: coalesces))
  }

  private func replace(id: AnyHashable?, _ rules: Rules) {
    self.access.lock()
    guard id != self.id else {
      self.access.unlock()
      return
    }
    self.id = id
    self.rules = rules
    let subscription = self.leave()
    self.access.unlock()
    subscription?.cancel()
  }
}

extension Observer: CustomStringConvertible {
  public var description: String {
    self.access.lock()
    defer { self.access.unlock() }
    return "Observer(\(self.rules.label ?? ""))"
  }
}
