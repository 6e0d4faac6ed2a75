import ImmutableJSON
import Threading

/// The failures of the effects of one store, and the program's function that is called for each.
final class EffectFailures: Sendable {
  fileprivate struct State {
    var total = 0
    /// The number of errors that wait for the handler, and the bytes of their messages.
    var waiting = 0
    var size = 0
    /// The number of errors that found too many others waiting.
    var omitted = 0
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
    guard let error = self.state.withLock({ $0.add(error) }) else { return }
    queue.expect()
    queue.appendExpected {
      _ = self.handler.call(error)
      let omitted = self.state.withLock { $0.remove(error) }
      if omitted > 0 { _ = self.handler.call(.omitted(omitted)) }
    }
  }
}

extension EffectFailures.State {
  /// - Parameter error: `nil` without a handler.
  /// - Returns: The error if it waits for the handler.
  fileprivate mutating func add(_ error: EngineError?) -> EngineError? {
    self.total += 1
    guard let error else { return nil }
    let size = error.message.utf8.count
    guard self.omitted == 0, self.waiting < EffectFailures.waitingLimit,
      self.waiting == 0 || size <= EffectFailures.sizeLimit - self.size
    else {
      self.omitted += 1
      return nil
    }
    self.waiting += 1
    self.size += size
    return error
  }

  /// Removes an error that waited.
  ///
  /// - Returns: The number of omitted errors, to report now.
  fileprivate mutating func remove(_ error: EngineError) -> Int {
    self.waiting -= 1
    self.size -= error.message.utf8.count
    guard self.waiting == 0 else { return 0 }
    defer { self.omitted = 0 }
    return self.omitted
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
