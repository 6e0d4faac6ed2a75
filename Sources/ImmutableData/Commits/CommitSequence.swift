import Synchronization
import Threading

/// Numbers the commits of one store, and passes them to its readers. It stands for the store in
/// code that does not know the types of the state and the action.
///
/// Readers are called in this order: the buffers of streams and the history, as part of the commit;
/// then the trace; then effects and rules; then observers, in the order in which they began.
/// Commits are delivered to notified readers in order, by one thread at a time. A thread that
/// commits while another one delivers waits, and then delivers the rest. Inside a callback it does
/// not wait: the current deliverer delivers its commit too. No lock is held while a notified reader
/// runs.
package final class CommitSequence: Sendable {
  /// Guards the state of the store, too. Readers take only the state and its number.
  let access = ReadWriteLock()

  /// Changes while nobody reads. In the cache line of the lock, which changes, too.
  let lastNumber = Atomic(0)

  private let historyExists: Atomic<Bool>

  package let clock: StoreClock

  /// `nil` in a store without a log.
  package let log: (any CommitLog)?

  /// Whether each commit is made, even without readers: for a history or a log.
  let keepsCommits: Bool

  /// Whether other stores append to the log, too.
  let sharesLog: Bool

  /// Whether dispatches share an append to the log.
  let sharesAppends: Bool

  // Guarded by the lock:

  /// Replaced only while the dispatch lock is held, too.
  nonisolated(unsafe) var history: History?
  nonisolated(unsafe) private var streams: [StreamBuffer] = []
  nonisolated(unsafe) private(set) var notifiedReaders: [NotifiedReader] = []
  nonisolated(unsafe) private var undelivered = Queue<AnyCommit>()
  /// Work that threads inside callbacks handed over. It runs before the next delivery.
  nonisolated(unsafe) private var handedOver: [HandedOver] = []
  /// The thread that delivers, and the number of the commit after which it stops.
  nonisolated(unsafe) private var deliverer: ThreadIdentity?
  nonisolated(unsafe) private var goal = 0
  /// The number of the last commit that was delivered.
  nonisolated(unsafe) private var delivered = 0
  nonisolated(unsafe) private var countedOverruns = 0
  /// The end of the last chain of dispatches that came close to the limit of their depth.
  nonisolated(unsafe) var causes: [Cause] = []
  /// The number of the last commit that waited when too many did: up to it, dispatches in
  /// deliveries fail. For the thread that delivers.
  nonisolated(unsafe) var lastOfCircle = 0

  /// The depth that a commit may have. Set before other threads know the store.
  nonisolated(unsafe) package var depthLimit = CommitSequence.defaultDepthLimit

  private let hasDelivered = Condition()

  /// The number of readers. Changes with the lock held.
  private let readerCount = Atomic(0)

  /// The number of those who need the state before a commit.
  private let oldStateUsers = Atomic(0)

  /// The number of streams that dispatches may wait for. Changes with the lock held.
  private let blockingStreams = Atomic(0)

  private let milliseconds = Atomic<Int32>(-1)
  /// The number of traces that want to know how long the reducer runs.
  private let measuring = Atomic(0)

  /// - Parameter history: `nil` for a store without history.
  init(
    history: HistoryPolicy? = nil, log: (any CommitLog)? = nil, _ clock: StoreClock = .system
  ) {
    self.clock = clock
    self.historyExists = Atomic(history != nil)
    self.history = history.map { History($0) }
    self.log = log
    self.keepsCommits = history != nil || log != nil
    self.sharesLog = log?.isShared == true
    self.sharesAppends = log?.sharesAppends == true
  }

  /// Whether the store has a history. Changes only while a log is opened or followed.
  package var hasHistory: Bool {
    self.historyExists.load(ordering: .relaxed)
  }

  /// Begins or ends the history, or changes its policy. Called only by the thread that repeats a
  /// log.
  package func changeHistory(_ policy: HistoryPolicy?) {
    var history = policy.map { History($0, self.history?.content ?? HistoryContent()) }
    self.access.lock()
    self.historyExists.store(policy != nil, ordering: .relaxed)
    swap(&self.history, &history)
    self.access.unlock()
    // Released without the lock.
    withExtendedLifetime(history) {}
  }

  /// Restores what a snapshot has. Called before other threads know the store.
  func restore(number: Int, _ content: HistoryContent?) {
    self.lastNumber.store(number, ordering: .releasing)
    self.delivered = number
    if let content, let policy = self.history?.policy {
      self.history = History(policy, content)
    }
  }
}

extension CommitSequence {
  /// The time of the next commit, in milliseconds since 1970.
  ///
  /// - Parameter origin: Where the commit comes from.
  func time(of origin: Origin) -> Int64 {
    switch origin {
    case .program: self.log?.time ?? self.clock.now
    case .log(let time), .writer(_, let time): time
    }
  }
}

extension CommitSequence {
  /// How long a dispatch of the program waits for space in streams, in milliseconds; forever if
  /// negative. Outcomes of effects always wait, because they cannot be dispatched again.
  package var spaceTimeout: Int32 {
    get { self.milliseconds.load(ordering: .relaxed) }
    set { self.milliseconds.store(newValue, ordering: .relaxed) }
  }
}

extension CommitSequence {
  /// Begins or ends measuring how long the reducer runs, for one trace.
  package func measureReducer(_ begins: Bool) {
    self.measuring.add(begins ? 1 : -1, ordering: .relaxed)
  }

  /// The time at which the reducer begins, by ``Clock/uptimeNanoseconds``; 0 if it is not measured.
  var reducerStart: Int {
    self.measuring.load(ordering: .relaxed) == 0 ? 0 : Clock.uptimeNanoseconds
  }
}

extension CommitSequence {
  /// The number of the last commit; 0 before the first. Without the lock, a state that is read
  /// afterwards may be that of a later commit.
  package var number: Int {
    self.lastNumber.load(ordering: .acquiring)
  }
}

// MARK: Committing

extension CommitSequence {
  /// Whether there are readers. Without the lock, one may begin or end at any time.
  var hasReaders: Bool {
    self.readerCount.load(ordering: .relaxed) > 0
  }

  /// Begins or ends the need of a reader that began without one. It has the old states of all
  /// commits that follow a snapshot taken afterwards.
  package func needOldStates(_ begins: Bool) {
    self.oldStateUsers.add(begins ? 1 : -1, ordering: .relaxed)
  }

  /// Called with the lock held.
  private func count(_ readers: Int, needsOldStates: Bool = true) {
    self.readerCount.add(readers, ordering: .relaxed)
    if needsOldStates { self.oldStateUsers.add(readers, ordering: .relaxed) }
  }

  /// Whether edits may be made in the state itself: nobody needs the one before, and no reader may
  /// change what concerns it, as during a delivery. Called with the lock held.
  var allowsChangesInPlace: Bool {
    guard self.hasReaders else { return true }
    return self.oldStateUsers.load(ordering: .relaxed) == 0 && self.deliverer == nil
      && self.undelivered.isEmpty
  }

  /// What a change in place concerns; `nil` if nothing. Called with the lock held.
  ///
  /// - Parameter state: The new state.
  func concern(of edits: AnyObject, _ state: UnsafeRawPointer) -> AnyObject? {
    var found: AnyObject?
    // By index and not retained, because counting references would take longer than the rest.
    for index in self.notifiedReaders.indices {
      Unmanaged.passUnretained(self.notifiedReaders[index])._withUnsafeGuaranteedRef {
        found = $0.concern?(edits, state) ?? found
      }
    }
    return found
  }

  /// Counts commits. Called while nobody reads, after the state was replaced.
  ///
  /// - Returns: The number of the last one.
  func advance(by count: Int) -> Int {
    self.lastNumber.add(count, ordering: .releasing).newValue
  }

  /// Adds a commit to the streams, and queues it for the notified readers. Called with the lock
  /// held.
  func append(_ commit: AnyCommit, _ aftermath: inout Aftermath) {
    for stream in self.streams where stream.append(commit, &aftermath) {
      self.countedOverruns += 1
    }
    if !self.notifiedReaders.isEmpty { self.undelivered.append(commit) }
  }

  /// The number of commits that exceeded the capacity of a stream, with ``OverflowPolicy/block``.
  package var overruns: Int {
    self.access.lock()
    defer { self.access.unlock() }
    return self.countedOverruns
  }
}

// MARK: Delivering

extension CommitSequence {
  /// What a thread that has committed does after it has released its locks.
  enum Duty: ~Copyable {
    case nothing, wait
    case deliver(DeliveryStep)
  }

  /// What the delivering thread does next.
  enum DeliveryStep: ~Copyable {
    /// Passes a commit to its readers.
    case read(AnyCommit, [NotifiedReader])
    /// Runs what was handed over.
    case run([HandedOver])
  }

  /// Work that a thread inside a callback handed over, and the commit whose delivery that was.
  struct HandedOver {
    let body: () -> Void
    let cause: AnyCommit?
  }

  /// Claims the delivery of the commits up to a number, which have been appended. Called with the
  /// lock held.
  func claimDelivery(upTo number: Int, in scope: CallScope) -> Duty {
    guard !self.undelivered.isEmpty else { return .nothing }
    if let deliverer {
      guard Self.mustNotWait(for: deliverer, in: scope) else { return .wait }
      self.goal = max(self.goal, number)
      return .nothing
    }
    self.goal = number
    self.deliverer = .current
    guard let step = self.takeStep() else { return .nothing }
    return .deliver(step)
  }

  /// Delivers what other stores have committed, or waits until another thread has. Called without
  /// locks.
  package func deliverOthers(in scope: CallScope) {
    self.access.lock()
    let number = self.number
    let duty = self.claimDelivery(upTo: number, in: scope)
    self.access.unlock()
    self.perform(duty, upTo: number, in: scope)
  }

  /// Inside a callback no call waits. Nor does the deliverer itself, which may be outside of its
  /// callbacks: it resumes tasks, and releases commits, whose deinitializers may use the store.
  private static func mustNotWait(for deliverer: ThreadIdentity, in scope: CallScope) -> Bool {
    scope.isInsideCallback || deliverer.isCurrent
  }

  /// Delivers the commits up to a number, or waits until another thread has. Called without locks.
  @inline(__always)
  func perform(_ duty: consuming Duty, upTo number: Int, in scope: CallScope) {
    switch consume duty {
    case .nothing: break
    case .deliver(let step): self.deliver(step, in: scope)
    case .wait:
      self.access.lock()
      while self.deliverer != nil, self.delivered < number {
        self.hasDelivered.wait(self.access.mutex)
      }
      let isDelivered = self.delivered >= number
      let duty = isDelivered ? .nothing : self.claimDelivery(upTo: number, in: scope)
      self.access.unlock()
      if case .deliver(let step) = consume duty { self.deliver(step, in: scope) }
    }
  }

  /// Delivers the commits up to the goal, which may rise meanwhile. The calling thread is then no
  /// longer the deliverer.
  private func deliver(_ first: consuming DeliveryStep?, in scope: CallScope) {
    var next = first
    var isLast: Bool
    repeat {
      // Released without the lock.
      var commit: AnyCommit?
      switch next.take() {
      case .read(let read, let readers):
        let outer = scope.beginDelivery(of: read, by: self)
        for reader in readers {
          reader.read(read, in: scope)
        }
        scope.endDelivery(in: outer)
        commit = read
      case .run(let all):
        for handedOver in all {
          let outer = scope.beginDelivery(of: handedOver.cause, by: self)
          scope.callback(handedOver.body)
          scope.endDelivery(in: outer)
        }
      case nil: break
      }
      self.access.lock()
      if let commit { self.delivered = commit.number }
      next = self.takeStep()
      isLast = next == nil
      self.access.unlock()
      self.hasDelivered.broadcast()
      withExtendedLifetime(commit) {}
    } while !isLast
  }

  /// Takes the next step. If nothing is left to do, the calling thread stops being the deliverer.
  /// Called with the lock held.
  private func takeStep() -> DeliveryStep? {
    if !self.handedOver.isEmpty {
      defer { self.handedOver = [] }
      return .run(self.handedOver)
    }
    if let first = self.undelivered.first, first.number <= self.goal {
      _ = self.undelivered.popFirst()
      return .read(first, self.notifiedReaders)
    }
    self.deliverer = nil
    return nil
  }
}

// MARK: Flushing

extension CommitSequence {
  /// Waits until the commits up to a number have been delivered. Called outside callbacks.
  ///
  /// - Returns: `false` if the deadline has passed.
  package func waitUntilDelivered(upTo number: Int, until deadline: Deadline?) -> Bool {
    self.access.lock()
    defer { self.access.unlock() }
    while self.isDelivering(upTo: number) {
      guard deadline?.hasPassed != true else { return false }
      self.hasDelivered.wait(self.access.mutex, until: deadline)
    }
    return true
  }

  /// Called with the lock held.
  private func isDelivering(upTo number: Int) -> Bool {
    if let first = self.undelivered.first, first.number <= number { return true }
    return self.deliverer != nil && self.delivered < number
  }

  /// Waits until the readers of flushed streams have handled the commits up to a number. Called
  /// outside callbacks.
  ///
  /// - Returns: `false` if the deadline has passed.
  package func waitUntilRead(upTo number: Int, until deadline: Deadline?) -> Bool {
    self.access.lock()
    let streams = self.streams
    self.access.unlock()
    return streams.allSatisfy { $0.waitUntilHandled(upTo: number, until: deadline) }
  }
}

// MARK: Pausing deliveries

extension CommitSequence {
  /// Runs a function while no notified reader runs on another thread, before the next commit is
  /// delivered. Inside a callback while another thread delivers, that thread runs it.
  ///
  /// - Parameters:
  ///   - isNested: Whether it runs at once inside a notified reader. Otherwise, it runs after all
  ///     readers have been called.
  ///   - prepare: Called with the lock held. Returns the function.
  func pauseDelivery(
    in scope: CallScope, isNested: Bool = true, _ prepare: () -> () -> Void
  ) {
    self.access.lock()
    while let deliverer, !Self.mustNotWait(for: deliverer, in: scope) {
      self.hasDelivered.wait(self.access.mutex)
    }
    let body = prepare()
    guard let deliverer else {
      self.deliverer = .current
      self.goal = self.delivered
      self.access.unlock()
      scope.callback(body)
      // Delivers what other threads inside callbacks have left to this one.
      return self.deliver(nil, in: scope)
    }
    // If this is inside a notified reader, its thread is the deliverer.
    let isNested = isNested && deliverer.isCurrent
    if !isNested {
      self.handedOver.append(HandedOver(body: body, cause: scope.deliveredCommit))
    }
    self.access.unlock()
    if isNested { body() }
  }
}

// MARK: Readers

extension CommitSequence {
  /// Calls `body` with each commit from now on.
  ///
  /// - Parameters:
  ///   - describe: Describes the observer that runs.
  ///   - concern: Lets changes be made in place. Only one reader has it, which then gets an
  ///     `InPlaceCommit` of those that concern it. By default, it gets all commits.
  ///   - body: Gets a `Commit<State, Action>`. The type is not part of the signature, because each
  ///     layer that does not know it would look it up for each commit.
  package func subscribe(
    _ order: NotificationOrder, describing describe: ObserverDescription? = nil,
    concern: ChangeConcern? = nil,
    _ body: @escaping @Sendable (AnyCommit, CallScope) -> Void
  ) -> Subscription {
    guard self.forbid(.subscribe, in: .current) == nil else { return Subscription {} }
    let reader = NotifiedReader(order, concern: concern, describe: describe, body)
    self.access.lock()
    self.add(reader)
    self.access.unlock()
    return self.subscription(of: reader)
  }

  func subscription(of reader: NotifiedReader) -> Subscription {
    Subscription { [weak self] in
      self?.remove(reader)
      reader.cancel()
    }
  }

  /// Adds a reader, which gets the commits from now on. Called with the lock held.
  func add(_ reader: NotifiedReader) {
    reader.start = self.number
    let index = self.notifiedReaders.firstIndex { $0.order.rawValue > reader.order.rawValue }
    self.notifiedReaders.insert(reader, at: index ?? self.notifiedReaders.count)
    self.count(1, needsOldStates: reader.needsOldStates)
  }

  private func remove(_ reader: NotifiedReader) {
    self.access.lock()
    defer { self.access.unlock() }
    guard let index = self.notifiedReaders.firstIndex(where: { $0 === reader }) else { return }
    self.notifiedReaders.remove(at: index)
    self.count(-1, needsOldStates: reader.needsOldStates)
  }

  /// Opens a stream of the commits from now on.
  ///
  /// - Parameters:
  ///   - owner: For ``finishStreams(of:)``.
  ///   - isFlushed: Whether a flush of the store waits for the reader.
  ///   - onReadable: Called when there is something to read again, with the locks of the store
  ///     held: library code that takes O(1).
  ///   - isIncluded: Whether the stream gets a commit. Called as `onReadable` is.
  package func makeStream(
    capacity: Int, overflow: OverflowPolicy, owner: ObjectIdentifier? = nil,
    isFlushed: Bool = false, onReadable: (@Sendable () -> Void)? = nil,
    where isIncluded: @escaping @Sendable (AnyCommit) -> Bool = { _ in true }
  ) -> CommitStream {
    let buffer = StreamBuffer(
      capacity: capacity, policy: overflow, owner: owner, isFlushed: isFlushed,
      onReadable: onReadable, isIncluded: isIncluded)
    return CommitStream(buffer, of: self)
  }

  /// Adds a stream, which gets the commits from now on.
  func add(_ stream: StreamBuffer) {
    self.access.lock()
    defer { self.access.unlock() }
    self.streams.append(stream)
    self.count(1)
    if stream.blocks { self.blockingStreams.add(1, ordering: .relaxed) }
  }

  func remove(_ stream: StreamBuffer) {
    self.access.lock()
    defer { self.access.unlock() }
    guard let index = self.streams.firstIndex(where: { $0 === stream }) else { return }
    self.streams.remove(at: index)
    self.count(-1)
    if stream.blocks { self.blockingStreams.subtract(1, ordering: .relaxed) }
  }

  /// Whether streams are open.
  package var hasStreams: Bool {
    self.access.lock()
    defer { self.access.unlock() }
    return !self.streams.isEmpty
  }

  /// A stream that dispatches must wait for, if there is one. Called without the lock.
  var fullStream: StreamBuffer? {
    guard self.blockingStreams.load(ordering: .relaxed) > 0 else { return nil }
    self.access.lock()
    defer { self.access.unlock() }
    return self.streams.first(where: \.makesDispatchesWait)
  }

  /// Ends streams after their unread actions.
  ///
  /// - Parameter owner: The owner of the streams; `nil` for all streams.
  package func finishStreams(of owner: ObjectIdentifier? = nil) {
    self.access.lock()
    let streams = self.streams.filter { owner == nil || $0.owner == owner }
    self.access.unlock()
    for stream in streams {
      self.remove(stream)
      stream.finish()
    }
  }
}

// MARK: Reentrancy

extension CommitSequence {
  /// Makes the function that the calling thread is inside fail, if it must not perform an
  /// operation: a reducer must not use its own store, and no pure function may dispatch.
  ///
  /// `select` and `makeStream` cannot throw. A higher layer, whose functions can, throws the error.
  ///
  /// - Returns: The error; `nil` if the operation is allowed.
  @discardableResult
  package func forbid(
    _ operation: ReentrancyError.Operation, in scope: CallScope
  ) -> ReentrancyError? {
    guard scope.isRestricted else { return nil }
    let store = operation.callsReducer ? nil : self
    return scope.forbid(store) { ReentrancyError(operation, in: $0) } as? ReentrancyError
  }
}
