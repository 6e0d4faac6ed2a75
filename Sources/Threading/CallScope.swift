internal import CThreadRecord

/// Whether the calling thread is inside a callback, a reducer or a pure function.
///
/// Inside a callback or a reducer no call waits for another thread's callback, delivery, stream
/// space or effect: two threads that wait for each other's callbacks would deadlock.
package enum CallScope {
  /// A pure function of the program. It must not dispatch.
  package enum PureFunction: Sendable {
    case rule, comparison, filter
  }

  /// A running pure function.
  private struct PureCall {
    let function: PureFunction
    /// The error of the first forbidden operation that the function performed, if any.
    var violation: (any Error)?
  }

  /// The error of the first forbidden operation that a running reducer performed. A thread runs at
  /// most one reducer, because a reducer cannot dispatch.
  private final class Violation {
    let error: any Error

    init(_ error: any Error) {
      self.error = error
    }
  }
}

// MARK: Callbacks

extension CallScope {
  /// Whether the calling thread is inside a callback or a reducer.
  package static var isInsideCallback: Bool {
    let record = thread_record_current()
    return record.pointee.callbacks > 0 || record.pointee.reducing_store != nil
  }

  /// Runs code of the program that is not a reducer: an observer, a fetch function, a release
  /// function.
  package static func callback<Result>(_ body: () -> Result) -> Result {
    let record = thread_record_current()
    record.pointee.callbacks += 1
    defer { record.pointee.callbacks -= 1 }
    return body()
  }
}

// MARK: Pure functions

extension CallScope {
  private static var pureCall: UnsafeMutablePointer<PureCall>? {
    thread_record_current().pointee.pure_call?.assumingMemoryBound(to: PureCall.self)
  }

  /// The pure function that the calling thread is inside, if any.
  package static var currentPureFunction: PureFunction? {
    self.pureCall?.pointee.function
  }

  /// Runs a pure function.
  ///
  /// - Throws: The error of a forbidden operation, even if the function ignored it.
  package static func pureFunction<Result>(
    _ function: PureFunction, _ body: () throws -> Result
  ) throws -> Result {
    var call = PureCall(function: function)
    let result = try withUnsafeMutablePointer(to: &call) { call in
      let record = thread_record_current()
      let outer = record.pointee.pure_call
      record.pointee.pure_call = UnsafeMutableRawPointer(call)
      defer { record.pointee.pure_call = outer }
      return try body()
    }
    if let violation = call.violation { throw violation }
    return result
  }

  /// Records the error of a forbidden operation of the pure function.
  package static func recordViolation(ofPureFunction violation: any Error) {
    guard let call = self.pureCall, call.pointee.violation == nil else { return }
    call.pointee.violation = violation
  }
}

// MARK: Reducers

extension CallScope {
  /// Whether the calling thread is inside a reducer or a pure function, where some operations are
  /// forbidden.
  package static var isRestricted: Bool {
    let record = thread_record_current()
    return record.pointee.reducing_store != nil || record.pointee.pure_call != nil
  }

  /// Whether the calling thread is inside the reducer of any store.
  package static var isReducing: Bool {
    thread_record_current().pointee.reducing_store != nil
  }

  /// Whether the calling thread is inside the reducer of one store.
  package static func isReducing(_ store: AnyObject) -> Bool {
    thread_record_current().pointee.reducing_store
      == UnsafeRawPointer(Unmanaged.passUnretained(store).toOpaque())
  }

  package static func beginReduction(_ store: AnyObject) {
    thread_record_current().pointee.reducing_store =
      UnsafeRawPointer(Unmanaged.passUnretained(store).toOpaque())
  }

  /// - Returns: The error of the first forbidden operation that the reducer performed, if any.
  package static func endReduction() -> (any Error)? {
    let record = thread_record_current()
    record.pointee.reducing_store = nil
    guard let violation = record.pointee.violation.take() else { return nil }
    return Unmanaged<Violation>.fromOpaque(violation).takeRetainedValue().error
  }

  /// Records the error of a forbidden operation of the reducer. Its dispatch then fails.
  package static func recordViolation(_ error: any Error) {
    let record = thread_record_current()
    guard record.pointee.violation == nil else { return }
    record.pointee.violation = Unmanaged.passRetained(Violation(error)).toOpaque()
  }
}
