import Threading

extension Store {
  /// Undoes steps: the state is the one before the first action of the last of them.
  ///
  /// An undo is a commit: subscribers get it, with ``AnyCommit/jump``. It has no effects.
  ///
  /// - Parameter steps: How many; fewer are undone if there are fewer.
  /// - Returns: The number of steps that were undone. If it is 0, nothing was committed.
  /// - Throws: ``NoHistory``; ``ReentrancyError`` in a reducer.
  @discardableResult
  public func undo(_ steps: Int = 1) throws -> Int {
    try self.perform(.undo(steps))
  }

  /// Redoes steps that were undone: the state is the one after the last action of the last of them.
  /// Otherwise as ``undo(_:)``.
  @discardableResult
  public func redo(_ steps: Int = 1) throws -> Int {
    try self.perform(.redo(steps))
  }

  /// Shows the state after a step; number 0 is the state before the first one.
  ///
  /// - Throws: ``JumpRefusal`` if there is no such step; otherwise as ``undo(_:)``.
  public func travel(to number: Int) throws {
    try self.perform(.travel(to: number))
  }

  /// Makes all actions one step until `body` returns, also those of other threads. Groups nest. An
  /// undo in a group ends it.
  ///
  /// - Parameters:
  ///   - cancelsOnError: Whether the group is given up if `body` throws: the state is the one
  ///     before it, and what could be redone then can be redone again. It is a commit, as
  ///     ``undo(_:)``.
  ///   - body: Called once, without locks.
  /// - Returns: What `body` returns.
  /// - Throws: The error of `body`, after the group has ended; ``GroupLimit``; otherwise as
  ///   ``undo(_:)``.
  public func group<Result>(
    cancelsOnError: Bool = false, _ body: () throws -> Result
  ) throws -> Result {
    try self.perform(.beginGroup)
    let result = Swift.Result { try body() }
    let cancels = if cancelsOnError, case .failure = result { true } else { false }
    let end = Swift.Result { cancels ? try self.perform(.cancelGroup) : 0 }
    // If it cannot be given up, it ends.
    if !cancels || (try? end.get()) == nil { try self.perform(.endGroup) }
    _ = try end.get()
    return try result.get()
  }

  /// Declares that the program has saved what is shown: ``HistoryStatus/isClean``.
  ///
  /// - Throws: As ``undo(_:)``.
  public func markClean() throws {
    try self.perform(.markClean)
  }

  /// What can be undone and redone now; `nil` in a store without history.
  public var history: HistoryStatus? {
    self.commits.forbid(.select, in: .current)
    self.commits.access.lock()
    defer { self.commits.access.unlock() }
    return self.commits.history?.status
  }

  @discardableResult
  private func perform(_ operation: HistoryOperation) throws -> Int {
    let scope = CallScope.current
    let use: ReentrancyError.Operation = operation.isJump ? .dispatch : .use
    if let error = self.commits.forbid(use, in: scope) { throw error }
    return try self.perform(operation, in: scope)
  }
}
