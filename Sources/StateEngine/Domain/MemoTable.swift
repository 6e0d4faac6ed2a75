import ImmutableJSON
import Threading

/// The memos of a selector in one store: what its last evaluations left for the next ones, by
/// arguments.
///
/// A memo may retain the output and what the selector read, so the table retains only those of the
/// last few arguments.
final class MemoTable: Sendable {
  static var capacity: Int { 4 }

  private let memos = Mutex(BoundedCache<Value, any Sendable>(capacity: MemoTable.capacity))
}

extension MemoTable {
  func find(_ arguments: Value) -> (any Sendable)? {
    self.memos.withLock { $0.find(arguments) }
  }

  /// Replaces the memo for some arguments; `nil` removes it. If two threads evaluate the selector
  /// at the same time, the last one wins: both memos are valid for every state.
  func set(_ memo: (any Sendable)?, for arguments: Value) {
    // What is dropped may be large: it is destroyed after the lock has been released.
    _ = self.memos.withLock { memos -> Any in
      memo.map { memos.insert($0, for: arguments) } ?? memos.remove(arguments) as Any
    }
  }
}
