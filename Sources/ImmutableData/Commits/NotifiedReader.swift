import Threading

/// What the readers that are part of a commit leave to be done without the locks of a dispatch,
/// because it may run code of the program.
struct Aftermath {
  /// Commits to release. Their deinitializers may use the store.
  var dropped: [AnyCommit] = []

  /// Tasks to resume. Their executors may use the store.
  var tasks: [CheckedContinuation<Void, Never>] = []

  func resumeTasks() {
    for task in self.tasks {
      task.resume()
    }
  }
}

/// A reader that is called after the commit, without locks.
final class NotifiedReader: Sendable {
  typealias Function = @Sendable (AnyCommit, CallScope) -> Void

  let order: NotificationOrder
  let concern: ChangeConcern?
  let describe: ObserverDescription?

  /// The number of the last commit before it began. It gets later ones. Set when it is added.
  nonisolated(unsafe) var start = 0

  private let gate = CallGate()
  /// `nil` once it is released, which the gate lets one thread do after the last call.
  nonisolated(unsafe) private var function: Function?

  init(
    _ order: NotificationOrder, concern: ChangeConcern? = nil,
    describe: ObserverDescription? = nil, _ function: @escaping Function
  ) {
    self.order = order
    self.concern = concern
    self.describe = describe
    self.function = function
  }

  /// Whether it needs the states before commits.
  var needsOldStates: Bool {
    self.concern == nil
  }

  func read(_ commit: AnyCommit, in scope: CallScope) {
    guard self.start < commit.number else { return }
    self.call(in: scope) { self.function?(commit, scope) }
  }

  /// Calls `body` unless the reader was cancelled.
  func call(in scope: CallScope, _ body: () -> Void) {
    _ = self.gate.call(in: scope, body) { self.function = nil }
  }

  /// Prevents further calls, and waits for the one in progress except inside a callback.
  func cancel() {
    self.gate.cancel { self.function = nil }
  }
}

/// Finds what a change in place concerns; `nil` if nothing. Then the reader does not get its
/// commit.
///
/// Called with the locks of the store held, while nobody delivers: it must run no code of the
/// program.
///
/// - Parameters:
///   - edits: What the reducer has returned.
///   - state: The new state, whose type the reader knows.
package typealias ChangeConcern =
  @Sendable (_ edits: AnyObject, _ state: UnsafeRawPointer) -> AnyObject?

/// Describes the observer of a reader that runs, and the commit that it is called for, for the
/// message of an error; `nil` if none runs. Called without locks by the thread that delivers.
package typealias ObserverDescription = @Sendable (AnyCommit) -> String?

/// The order in which notified readers are called. Those of the same kind are called in the order
/// in which they began.
package enum NotificationOrder: Int, Sendable {
  case trace
  /// Effects and rules.
  case effects
  case observers
}
