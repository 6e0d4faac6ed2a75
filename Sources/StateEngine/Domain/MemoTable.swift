import ImmutableJSON
import Threading

/// The memos of a selector in one store: what its last evaluations left for the next ones, by
/// arguments.
///
/// A memo may retain the output and what the selector read, so the table retains only those of the
/// last few arguments.
final class MemoTable: Sendable {
  private struct Entry {
    let arguments: Value
    let memo: any Sendable
  }

  static var capacity: Int { 4 }

  /// The most recently evaluated is last.
  private let entries = Mutex<[Entry]>([])
}

extension MemoTable {
  func find(_ arguments: Value) -> (any Sendable)? {
    self.entries.withLock { entries in entries.first { $0.arguments == arguments }?.memo }
  }

  /// Replaces the memo for some arguments; `nil` removes it. If two threads evaluate the selector
  /// at the same time, the last one wins: both memos are valid for every state.
  func set(_ memo: (any Sendable)?, for arguments: Value) {
    let old = self.entries.withLock { entries in
      let old = entries
      entries.removeAll { $0.arguments == arguments }
      if let memo { entries.append(Entry(arguments: arguments, memo: memo)) }
      if entries.count > Self.capacity { entries.removeFirst() }
      return old
    }
    // Destroyed without holding the lock, because it may be large.
    withExtendedLifetime(old) {}
  }
}
