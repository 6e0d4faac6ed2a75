import ImmutableJSON
import Threading

/// The failures of the effects of one store, and the program's function that is called for each.
final class EffectFailures: Sendable {
  fileprivate struct State {
    var total = 0
    /// The errors that wait for the handler, oldest first.
    var waiting = Queue<EngineError>()
    /// The number of errors that wait or that the handler is called with, and the bytes of their
    /// messages.
    var unhandled = 0
    var size = 0
    /// The number of errors that found too many others waiting.
    var omitted = 0
    /// Whether a thread is calling the handler.
    var isNotifying = false
  }

  private let state = Mutex(State())
  /// `nil` without an ``AnyStore``.
  let tracer: Tracer?

  /// Called with the error of each failed effect, on the thread of the effects.
  let handler = CallbackSlot<EngineError>()

  init(_ tracer: Tracer? = nil) {
    self.tracer = tracer
  }

  var count: Int {
    self.state.withLock { $0.total }
  }

  /// The limits of the errors that wait for the handler, and of the bytes of their messages.
  static var waitingLimit: Int { 1_024 }
  static var sizeLimit: Int { 1 << 20 }

  /// Counts an error of an effect, and calls the handler on a queue, for one error at a time.
  ///
  /// If too many errors wait for the handler, later ones are omitted until it has been called for
  /// all that wait, and then for their number.
  func add(_ error: any Error, notifyingOn queue: EffectQueue) {
    if let tracer, tracer.shows(.effects) { tracer.failing(EngineError(ofEffect: error)) }
    let error = self.handler.current == nil ? nil : EngineError(ofEffect: error)
    guard self.state.withLock({ $0.add(error) }) else { return }
    queue.expect()
    queue.appendExpected { self.notify() }
  }

  /// Calls the handler for the errors that wait, unless another thread, or the caller, is calling
  /// it.
  private func notify() {
    while let error = self.state.withLock({ $0.takeNext() }) {
      _ = self.handler.call(error)
      self.state.withLock { $0.finish(error) }
    }
  }

  /// Calls the handler for the errors that the closed queue has dropped, and removes it for good.
  func close() {
    self.notify()
    self.handler.close()
  }
}

extension EffectFailures.State {
  /// - Parameter error: `nil` without a handler.
  /// - Returns: Whether the error waits for the handler.
  fileprivate mutating func add(_ error: EngineError?) -> Bool {
    self.total += 1
    guard let error else { return false }
    let size = error.message.utf8.count
    guard self.omitted == 0, self.unhandled < EffectFailures.waitingLimit,
      self.unhandled == 0 || size <= EffectFailures.sizeLimit - self.size
    else {
      self.omitted += 1
      return false
    }
    self.append(error)
    return true
  }

  private mutating func append(_ error: EngineError) {
    self.waiting.append(error)
    self.unhandled += 1
    self.size += error.message.utf8.count
  }

  /// Takes the error that has waited longest or, after the last one, the number of those that were
  /// omitted; nothing while the handler is being called.
  fileprivate mutating func takeNext() -> EngineError? {
    guard !self.isNotifying else { return nil }
    if self.waiting.isEmpty, self.omitted > 0 {
      self.append(.omitted(self.omitted))
      self.omitted = 0
    }
    let error = self.waiting.popFirst()
    self.isNotifying = error != nil
    return error
  }

  fileprivate mutating func finish(_ error: EngineError) {
    self.isNotifying = false
    self.unhandled -= 1
    self.size -= error.message.utf8.count
  }
}

extension EngineError {
  fileprivate static func omitted(_ count: Int) -> Self {
    Self(
      .limit,
      "\(count) more effect\(count == 1 ? "" : "s") failed while too many errors waited for the "
        + "handler")
  }
}

/// An error that an effect threw, with what the effect belongs to.
struct EffectError: Error {
  enum Source {
    /// The effect of an action of this type; `nil` for an effect without an action.
    case action(String?)
    /// What follows the end of an effect of the program with this name.
    case completion(of: String)
  }

  let source: Source
  let underlying: any Error
}

extension EffectError {
  /// The error with its source in its message.
  fileprivate func located(_ error: EngineError) -> EngineError {
    let (effect, missingReason): (String, String)
    switch (self.source, self.underlying) {
    // Their messages name the effect already.
    case (.completion, ProgramTaskError.noFunction), (.completion, ProgramTaskError.invalidResult):
      return error
    case (.completion(let name), _):
      (effect, missingReason) = ("the effect \(quoted(name))", "it was rejected without a reason")
    case (.action(let type?), _):
      (effect, missingReason) = ("an effect after \(quoted(type))", "it gave no reason")
    case (.action(nil), _):
      (effect, missingReason) = ("an effect that no action caused", "it gave no reason")
    }
    var located = error
    located.message = "\(effect): \(error.message.isEmpty ? missingReason : error.message)"
    return located
  }
}

extension EngineError {
  /// Converts the error of an effect.
  fileprivate init(ofEffect error: any Error) {
    switch error {
    case let error as EffectError:
      self = error.located(Self(ofEffect: error.underlying))
    case let error as ProgramTaskError: self.init(error.code, error.description)
    // The error of a dispatch. Any other error counts as one of a reducer.
    default: self.init(error)
    }
  }
}
