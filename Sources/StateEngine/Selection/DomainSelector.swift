import ImmutableJSON
import Threading

/// A selector of a domain in one store, with the type of the state erased.
final class DomainSelector: Sendable {
  let name: String
  let argumentNames: [String]

  private let arguments: [Schema.Property]

  #if DEBUG
    private let described: Schema
  #endif

  /// Whether the arguments determine what the selector reads.
  let partsDependOnArguments: Bool

  private let evaluate: @Sendable (any Snapshot, Value) throws -> Value
  private let compare: @Sendable (any Snapshot, Value) -> @Sendable (any Snapshot) -> Bool

  /// The selector of a store with history.
  ///
  /// - Parameter encoding: Reads the commits of the store.
  init(history encoding: any CommitEncoding.Type) {
    self.name = Self.historyName
    self.argumentNames = []
    self.arguments = []
    self.partsDependOnArguments = false
    #if DEBUG
      self.described = HistoryView.schema
    #endif
    self.evaluate = { snapshot, _ in snapshot.history?.json(encoding) ?? .null }
    self.compare = { _, _ in { _ in false } }
  }

  /// The selector of a store with a log.
  ///
  /// - Parameter status: Where the log is, and whether something is wrong with it.
  init(log status: @escaping @Sendable () -> Value) {
    self.name = Self.logName
    self.argumentNames = []
    self.arguments = []
    self.partsDependOnArguments = false
    #if DEBUG
      self.described = LogStatus.schema
    #endif
    self.evaluate = { _, _ in status() }
    self.compare = { _, _ in { _ in true } }
  }

  init<State: Encodable & Sendable>(_ selector: SelectorDescription<State>) {
    self.name = selector.name
    self.argumentNames = selector.arguments.map(\.name)
    self.arguments = selector.arguments
    self.partsDependOnArguments = selector.reads?.contains { $0.argument != nil } == true
    #if DEBUG
      self.described = selector.output
    #endif
    let memos = MemoTable()
    self.evaluate = { snapshot, arguments in
      guard let state = (snapshot as? DomainSnapshot<State>)?.state else { return .null }
      return try selector.select(state, arguments, memos)
    }
    self.compare = { snapshot, arguments in
      guard let state = (snapshot as? DomainSnapshot<State>)?.state,
        let parts = selector.reads?.map({ $0.comparison(state, $0.scope(for: arguments)) })
      else { return { _ in false } }
      return { snapshot in
        guard let state = (snapshot as? DomainSnapshot<State>)?.state else { return false }
        return parts.allSatisfy { $0(state) }
      }
    }
  }
}

extension DomainSelector {
  /// The name of the selector of a store with history.
  static var historyName: String { "@@history" }

  /// That of a store with a log.
  static var logName: String { "@@log" }
}

extension DomainSelector {
  /// Throws ``EngineError`` (`invalidArgument`) unless the arguments are as described.
  func check(_ arguments: Value) throws(EngineError) {
    do {
      try self.arguments.check(arguments, "arguments")
    } catch {
      throw EngineError(.invalidArgument, "\(quoted(self.name)): \(error)")
    }
  }

  /// Evaluates the selector.
  ///
  /// - Throws: ``EngineError``: `invalidArgument` if the arguments are not as described, or in a
  ///   debug build if the output is not; `limit`.
  func output(for snapshot: any Snapshot, _ arguments: Value) throws(EngineError) -> Value {
    try self.check(arguments)
    let output: Value
    do {
      output = try self.evaluate(snapshot, arguments)
    } catch let error as ValueLimitError {
      throw EngineError(.limit, "\(quoted(self.name)): \(error)")
    } catch {
      throw EngineError(.invalidArgument, "\(quoted(self.name)): \(reason(error, in: "arguments"))")
    }
    #if DEBUG
      try self.check(output: output)
    #endif
    return output
  }

  #if DEBUG
    /// Throws ``EngineError`` (`invalidArgument`) unless the output is as described.
    private func check(output: Value) throws(EngineError) {
      do {
        try self.described.check(output, "output")
      } catch {
        throw EngineError(
          .invalidArgument,
          "the selector \(quoted(self.name)) returned another shape than its `output` describes: "
            + "\(error); correct the description or the selector")
      }
    }
  #endif

  /// Returns a function: whether another state is the same wherever the selector reads this one. Also
  /// `false` if the selector does not declare what it reads.
  func comparison(
    with snapshot: any Snapshot, _ arguments: Value
  ) -> @Sendable (any Snapshot) -> Bool {
    self.compare(snapshot, arguments)
  }
}

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
