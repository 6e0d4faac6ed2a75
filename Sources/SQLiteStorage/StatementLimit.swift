import CSQLiteFunctions
import Threading

/// How long a statement may run. SQLite's instructions count from the beginning of a statement,
/// time from the beginning of a step: between two steps, the program works on a row.
package struct StatementLimit: Sendable {
  let instructions: Int
  let milliseconds: Int32

  package init(instructions: Int, milliseconds: Int32) {
    self.instructions = instructions
    self.milliseconds = milliseconds
  }

  /// Reading 10 million records takes about 70 million instructions.
  package static var standard: Self { Self(instructions: 500_000_000, milliseconds: 30_000) }
}

/// Interrupts the statements of a connection that exceed the limit, or that run when the database
/// is closed. A file can make any statement endless, for example by a trigger.
///
/// Used by one thread at a time, as its connection is.
final class StatementGuard {
  private let limit: StatementLimit
  private let lockRetry: LockRetry

  /// How often SQLite has called the handler during the statement.
  private var calls = 0
  /// When the step is interrupted; `nil` until SQLite calls the handler.
  private var deadline: Deadline?
  /// Why the statement was interrupted.
  private var reason = ""

  init(_ limit: StatementLimit, _ lockRetry: LockRetry) {
    self.limit = limit
    self.lockRetry = lockRetry
  }
}

extension StatementGuard {
  /// The number of instructions between two calls of the handler.
  private static var period: Int32 { 10_000 }

  /// Watches a connection, which must not outlive this object.
  func watch(_ connection: OpaquePointer) {
    let context = Unmanaged.passUnretained(self).toOpaque()
    bound.sqlite3_progress_handler(
      connection, Self.period,
      { context in
        guard let context else { return 0 }
        let watcher = Unmanaged<StatementGuard>.fromOpaque(context).takeUnretainedValue()
        return watcher.interrupts() ? 1 : 0
      }, context)
  }

  func beginStatement() {
    self.calls = 0
    self.beginStep()
  }

  func beginStep() {
    self.deadline = nil
  }

  /// The error of a call of SQLite that returned `SQLITE_INTERRUPT`.
  func error(_ label: String) -> DatabaseError {
    guard !self.lockRetry.wasCancelled else { return .closed }
    return DatabaseError(
      .io,
      "\(label): a statement was interrupted after \(self.reason); a trigger or view of another "
        + "program may cause this")
  }

  /// Whether SQLite must end the statement.
  private func interrupts() -> Bool {
    self.calls += 1
    let deadline = self.deadline ?? Deadline(milliseconds: self.limit.milliseconds)
    self.deadline = deadline
    if self.calls > self.limit.instructions / Int(Self.period) {
      self.reason = "\(self.limit.instructions) instructions"
      return true
    }
    if deadline.hasPassed {
      self.reason = "\(self.limit.milliseconds) ms"
      return true
    }
    // A short statement ends by itself. The first call may come at its first instruction.
    return self.calls > 1 && self.lockRetry.wasCancelled
  }
}
