import ImmutableData
import ImmutableJSON
import Threading

/// The commits of a store for one client.
///
/// A dispatch only queues a reference. What a client gets of a commit is made on the thread of the
/// inspector. If too many are queued, the oldest are dropped.
final class InspectedCommits {
  private let inspected: Inspected
  private let stream: CommitStream
  private let lastState = LastState()
  /// What else happens in the store; `nil` if the client does not want it.
  private var lines: TraceLines?
  private let wake: @Sendable () -> Void

  /// The number of the last commit that the client was told of, or before the first.
  private(set) var last: Int

  /// How many commits may be queued.
  private static var capacity: Int { 8192 }

  /// - Parameter wake: Called when there is something to tell again.
  /// - Throws: ``EngineError``: `closed`.
  init(_ inspected: Inspected, wake: @escaping @Sendable () -> Void) throws(EngineError) {
    guard let commits = inspected.tracer.commits else { throw .closed }
    self.inspected = inspected
    self.wake = wake
    self.stream = commits.makeStream(
      capacity: Self.capacity, overflow: .dropOldest, onReadable: wake)
    self.last = commits.number
    commits.measureReducer(true)
  }

  deinit {
    self.trace(false)
    self.inspected.tracer.commits?.measureReducer(false)
    self.stream.close()
  }
}

extension InspectedCommits {
  /// Begins or ends to tell of what else happens in the store.
  func trace(_ isTraced: Bool) {
    guard isTraced != (self.lines != nil) else { return }
    if let lines = self.lines.take() { return self.inspected.tracer.remove(lines) }
    let lines = TraceLines(wake: self.wake)
    self.lines = lines
    self.inspected.tracer.add(lines)
  }

  /// The next notifications; none if there is nothing to tell.
  func next() -> [Value] {
    if let line = self.lines?.next() {
      return [InspectorMessage.notification("trace", ["store": self.number, "line": line])]
    }
    while case .element(let commit) = self.stream.next(until: Deadline(milliseconds: 0)) {
      let dropped = commit.number - self.last - 1
      // It was committed before the client was told where its commits begin.
      guard dropped >= 0 else { continue }
      self.last = commit.number
      let message = InspectorMessage.notification("commit", self.describe(commit))
      return dropped > 0 ? [self.dropped(dropped), message] : [message]
    }
    return []
  }

  /// Tells how many commits the client will not be told of; `nil` if it was told of all.
  var missed: Value? {
    let count = (self.inspected.tracer.commits?.number ?? self.last) - self.last
    return count > 0 ? self.dropped(count) : nil
  }

  private func dropped(_ count: Int) -> Value {
    InspectorMessage.notification(
      "dropped", ["store": self.number, "commits": .integer(Int64(count))])
  }

  private var number: Value {
    .integer(Int64(self.inspected.number))
  }

  private func describe(_ commit: AnyCommit) -> Value {
    let tracer = self.inspected.tracer
    var members: [(String, Value)] = [
      ("store", self.number), ("commit", .integer(Int64(commit.number))),
      ("time", .integer(commit.time ?? self.time(of: commit.reducerRun))),
    ]
    members += tracer.describe(commit)
    if !commit.isLast { members.append(("batch", true)) }
    if self.inspected.hasPatches {
      switch tracer.changes(of: commit, since: self.lastState) {
      case .success(let patch): members.append(("patch", patch))
      case .failure(let obstacle): members.append(("problem", obstacle.message))
      }
    }
    return .object(JSONObject(members))
  }

  /// When a reducer began, in milliseconds since 1970; now if it was not measured.
  private func time(of run: ReducerRun) -> Int64 {
    let clock = self.inspected.tracer.commits?.clock ?? .system
    guard run.start != 0, !clock.isManual else { return clock.now }
    return clock.now - Int64((Clock.uptimeNanoseconds - run.start) / 1_000_000)
  }
}
