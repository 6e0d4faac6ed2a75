import ImmutableJSON
import Threading

/// A task that an effect gave to the program: a request, or an effect that the program performs.
///
/// It ends once. Whichever end comes first wins; later calls by the program throw
/// ``EngineError/Code/closed``. After its end, it retains neither its outcome nor its handlers.
public class ProgramTask: @unchecked Sendable {
  fileprivate struct State {
    var hasEnded = false
    weak var owner: PendingTasks?
    var endHandlers: [@Sendable () -> Void] = []
  }

  fileprivate let state = Mutex(State())

  /// The error of a call that is too late.
  package class var ended: EngineError { .closed }

  init() {}

  /// Ends the task with a failure. Each kind of task overrides this.
  ///
  /// - Returns: Whether this call ended the task.
  @discardableResult
  func end(_ error: ProgramTaskError) -> Bool { false }
}

extension ProgramTask {
  public var hasEnded: Bool {
    self.state.withLock { $0.hasEnded }
  }

  /// Calls `body` when the task ends; immediately if it has ended.
  public func onEnd(_ body: @escaping @Sendable () -> Void) {
    let hasEnded = self.state.withLock { state in
      if !state.hasEnded { state.endHandlers.append(body) }
      return state.hasEnded
    }
    if hasEnded { body() }
  }

  /// Runs `body` with the lock of the task, unless the task has ended. Ends the task if `body`
  /// returns `true`.
  ///
  /// - Parameter next: Runs after `body` and before the end handlers, without the lock.
  /// - Returns: Whether `body` ran.
  @discardableResult
  func update(_ body: () -> Bool, then next: () -> Void) -> Bool {
    var ended: State?
    let wasOpen = self.state.withLock { state in
      guard !state.hasEnded else { return false }
      guard body() else { return true }
      ended = state
      state = State(hasEnded: true)
      return true
    }
    // First, so that what follows the end finds room for another task.
    ended?.owner?.remove(self)
    if wasOpen { next() }
    ended?.endHandlers.forEach { $0() }
    return wasOpen
  }
}

/// The tasks of a store or of a ``Fetcher`` that have not ended.
final class PendingTasks: Sendable {
  /// `nil` after ``close()``.
  private let tasks = Mutex<[ObjectIdentifier: ProgramTask]?>([:])

  private let kind: String

  /// - Parameter kind: What the tasks are, for errors.
  init(_ kind: String) {
    self.kind = kind
  }

  private static var limit: Int { 65_536 }
}

extension PendingTasks {
  var count: Int {
    self.tasks.withLock { $0?.count ?? 0 }
  }

  /// Adds a new task until it ends. Ends it if that is not possible.
  ///
  /// - Returns: Whether it was added.
  func add(_ task: ProgramTask) -> Bool {
    task.state.withLock { $0.owner = self }
    let error = self.tasks.withLock { tasks -> ProgramTaskError? in
      guard let count = tasks?.count else { return .closed }
      guard count < Self.limit else {
        return .limit(
          "\(counted(count, self.kind)) are in flight, which is the limit; wait until some have "
            + "ended")
      }
      tasks?[ObjectIdentifier(task)] = task
      return nil
    }
    if let error { task.end(error) }
    return error == nil
  }

  fileprivate func remove(_ task: ProgramTask) {
    self.tasks.withLock { _ = $0?.removeValue(forKey: ObjectIdentifier(task)) }
  }

  /// Ends all tasks, and refuses new ones.
  func close() {
    for task in (self.tasks.withLock { $0.take() } ?? [:]).values {
      task.end(.closed)
    }
  }
}

/// The reason for the failure of a request, or of an effect that the program performs.
public enum ProgramTaskError: Error, Hashable {
  /// The program has not set a function that performs requests.
  case noFetch
  /// The program has not set a function for the effect with this name.
  ///
  /// - Parameter known: The names for which the program has set functions.
  case noFunction(String, known: [String])
  /// The program could not perform the task, for this reason.
  case rejected(String)
  /// The result of the effect `name` does not have the expected type.
  case invalidResult(name: String, reason: String)
  case timedOut(milliseconds: Int32)
  /// A limit was exceeded, as this message says.
  case limit(String)
  case closed
  /// Another effect, or the rule, cancelled it.
  case cancelled
}

extension ProgramTaskError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .noFetch: "the program has not set a function that performs HTTP requests"
    case .noFunction(let name, let known):
      "the program has not set a function for the effect \(quoted(name))"
        + (similarNameSuggestion(name, known) ?? "")
    case .rejected(let reason): reason
    case .invalidResult(let name, let reason): "the effect \(quoted(name)): \(reason)"
    case .timedOut(let milliseconds): "there was no response within \(milliseconds) ms"
    case .limit(let message): message
    case .closed: "the store was closed"
    case .cancelled: "the effect was cancelled"
    }
  }

  /// The code of a failed effect.
  package var code: EngineError.Code {
    switch self {
    case .noFetch, .noFunction: .notFound
    case .rejected, .invalidResult: .io
    case .timedOut: .timeout
    case .limit: .limit
    case .closed, .cancelled: .closed
    }
  }
}
