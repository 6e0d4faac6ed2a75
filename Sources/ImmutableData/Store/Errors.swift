import Threading

/// An action of a batch failed, so the whole batch had no effect.
public struct BatchError: Error {
  /// The index of the action in the batch, from 0.
  public let index: Int

  /// The error that the reducer threw.
  public let underlying: any Error

  public init(index: Int, underlying: any Error) {
    self.index = index
    self.underlying = underlying
  }
}

extension BatchError: CustomStringConvertible {
  /// A sentence that counts the actions from 1, as the messages of all interfaces do.
  public var description: String {
    "action \(self.index + 1): \(self.underlying); the batch was not applied"
  }
}

/// A function that must be pure did what it must not: a reducer used its own store, or any function
/// dispatched to any store.
///
/// That function fails with this error even if it ignores it and returns a value. So the action
/// that a reducer was reducing fails.
public struct ReentrancyError: Error, Hashable {
  /// The operation that the function performed.
  public enum Operation: String, Hashable, Sendable {
    case dispatch, select, makeStream, subscribe, confirmedState, preview

    /// Any other operation that a higher layer offers.
    case use

    /// Whether it calls a reducer. Two stores whose reducers dispatch to each other would deadlock,
    /// so no pure function may perform it.
    var callsReducer: Bool {
      self == .dispatch || self == .confirmedState || self == .preview
    }
  }

  public let operation: Operation
  package let function: CallScope.Function

  public init(operation: Operation) {
    self.init(operation, in: .reducer)
  }

  init(_ operation: Operation, in function: CallScope.Function) {
    self.operation = operation
    self.function = function
  }
}

extension ReentrancyError: CustomStringConvertible {
  public var description: String {
    switch (self.operation, self.function) {
    case (.confirmedState, let function):
      "a \(function) asked for a confirmed state, which calls a reducer; ask for it before the "
        + "dispatch or after it returned"
    case (.preview, let function):
      "a \(function) previewed actions, which calls a reducer; preview them before the dispatch or "
        + "after it returned"
    case (_, .rule):
      "a rule dispatched an action; return an effect whose outcome is the action instead"
    case (_, .comparison):
      "the comparison of an observer dispatched an action; dispatch in the observer instead"
    case (_, .filter):
      "the filter of an observer dispatched an action; dispatch in the observer instead"
    case (_, .trace):
      "the function of a trace dispatched an action; dispatch after it has returned"
    case (.dispatch, .selector):
      "a selector dispatched an action; dispatch in an observer instead"
    case (.select, .selector):
      "a selector selected from its own store; name what it needs as an input"
    case (_, .selector):
      "a selector used its own store; name what it needs as an input"
    case (.dispatch, .reducer):
      "a reducer dispatched an action; return the next state instead, "
        + "and dispatch further actions after the first dispatch returned"
    case (.select, .reducer):
      "a reducer selected from its own store; "
        + "read the state passed to it instead"
    case (.makeStream, .reducer), (.subscribe, .reducer):
      "a reducer used an observation or a stream of its own store; "
        + "use it before the dispatch or after it returned"
    case (.use, .reducer):
      "a reducer used its own store; "
        + "use it before the dispatch or after it returned"
    }
  }
}

/// A reducer throws this to fail the dispatch without rejecting the action, because it was
/// interrupted. Nothing changes: an outcome ends no optimistic update, and undoing an update, which
/// reduces later actions again, drops none of them.
public struct ReducerInterruption: Error {
  /// The error that the dispatch throws.
  public let underlying: any Error

  /// Whether the reducer exceeded a limit of the process. That may have been lowered since an
  /// action was accepted, so undoing an update must not drop it. An outcome that exceeds the limit
  /// itself ends its update, like any other that is rejected.
  public let isLimit: Bool

  public init(_ underlying: any Error, isLimit: Bool = false) {
    self.underlying = underlying
    self.isLimit = isLimit
  }
}

/// A dispatch waited too long for space in a stream with the policy ``OverflowPolicy/block``. The
/// state is unchanged.
package struct NoSpace: Error, CustomStringConvertible {
  let milliseconds: Int32

  package var description: String {
    "a stream with the overflow \"block\" is still full after \(self.milliseconds) ms; read it or "
      + "close it"
  }
}

/// A stream with the policy ``OverflowPolicy/fail`` ended because it was full.
public struct StreamOverflow: Error, Hashable {
  /// How many unread actions the stream could hold.
  public let capacity: Int

  public init(capacity: Int) {
    self.capacity = capacity
  }
}

extension StreamOverflow: CustomStringConvertible {
  public var description: String {
    "the reader fell more than \(self.capacity) action\(self.capacity == 1 ? "" : "s") behind "
      + "and its stream ended; make the stream with a larger capacity or another overflow policy"
  }
}
