import Threading

/// A reader of commits that is called as part of a commit, with the lock of the
/// ``CommitSequence`` held: library code that takes O(1).
protocol ImmediateReader: AnyObject, Sendable {
  /// - Returns: Whether the commit exceeded the capacity of the reader.
  func read(_ commit: AnyCommit, _ aftermath: inout Aftermath) -> Bool

  /// Whether dispatches wait until ``waitForSpace()`` returns.
  var isFull: Bool { get }
  func waitForSpace()

  /// The store was closed or released. Called without the lock.
  func finish()
}

/// What immediate readers leave to be done without the locks of a dispatch, because it may run code
/// of the program.
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
struct NotifiedReader {
  typealias Function = Callback<(AnyCommit, CallScope)>

  let function: Function
  let order: NotificationOrder

  /// The number of the last commit before it began. It gets later ones.
  let start: Int
}

/// The order in which notified readers are called. Those of the same kind are called in the order
/// in which they began.
package enum NotificationOrder: Int, Sendable {
  /// Effects and rules.
  case effects
  case observers
}
