internal import CThreadRecord

/// What the calling thread is inside: callbacks, and functions that must be pure.
///
/// Inside a callback or a reducer no call waits for another thread's callback, delivery, stream
/// space or effect: two threads that wait for each other's callbacks would deadlock.
///
/// Refers to the record of its thread, so that one look-up serves a whole call. It must not be used
/// on another thread.
package struct CallScope {
  /// A function of the program that must be pure. It must not dispatch; a reducer and a selector
  /// must not use their store at all.
  package enum Function: Int32, Sendable {
    case reducer, rule, comparison, filter, selector, trace
  }

  private final class Violation {
    let error: any Error

    init(_ error: any Error) {
      self.error = error
    }
  }

  private let record: UnsafeMutablePointer<thread_record>

  package static var current: Self {
    let record = thread_record_current()
    #if DEBUG
      record.pointee.lookups += 1
    #endif
    return Self(record: record)
  }
}

// MARK: Callbacks

extension CallScope {
  /// Whether the calling thread is inside a callback or a reducer.
  package var isInsideCallback: Bool {
    self.record.pointee.callbacks > 0
  }

  /// Runs code of the program that is not a reducer: an observer, a fetch function, a release
  /// function.
  package func callback<Result>(_ body: () -> Result) -> Result {
    self.record.pointee.callbacks += 1
    defer { self.record.pointee.callbacks -= 1 }
    return body()
  }

  package static var isInsideCallback: Bool {
    self.current.isInsideCallback
  }

  package static func callback<Result>(_ body: () -> Result) -> Result {
    self.current.callback(body)
  }
}

// MARK: Deliveries

extension CallScope {
  /// Whose commit a thread passes to its readers: the addresses of the sequence of commits and of
  /// the commit; `nil` outside of deliveries.
  package struct Delivery {
    package let sequence: UnsafeRawPointer?
    package let commit: UnsafeRawPointer?
  }

  /// The innermost delivery of the calling thread.
  package var delivery: Delivery {
    Delivery(sequence: self.record.pointee.sequence, commit: self.record.pointee.delivered)
  }

  /// Begins a delivery.
  ///
  /// - Returns: The one around it, for ``endDelivery(in:)``.
  package func beginDelivery(of commit: AnyObject?, by sequence: AnyObject) -> Delivery {
    let outer = self.delivery
    self.record.pointee.sequence = Self.identity(of: sequence)
    self.record.pointee.delivered = commit.map(Self.identity)
    return outer
  }

  package func endDelivery(in outer: Delivery) {
    self.record.pointee.sequence = outer.sequence
    self.record.pointee.delivered = outer.commit
  }
}

// MARK: Pure functions

extension CallScope {
  /// Whether the calling thread is inside a function that must be pure.
  package var isRestricted: Bool {
    self.record.pointee.call != nil
  }

  /// Whether the calling thread is inside a function of a kind.
  package func isInside(_ function: Function) -> Bool {
    var next = self.record.pointee.call
    while let call = next {
      if call.pointee.function == function.rawValue { return true }
      next = call.pointee.outer
    }
    return false
  }

  /// Runs a function other than a reducer.
  ///
  /// - Parameter store: The store that the function must not use.
  /// - Throws: The error of a forbidden operation, even if the function ignored it or failed.
  package func pureFunction<Result>(
    _ function: Function, of store: AnyObject? = nil, _ body: () throws -> Result
  ) throws -> Result {
    var call = pure_call()
    call.function = function.rawValue
    call.store = store.map(Self.identity)
    let result = withUnsafeMutablePointer(to: &call) { call in
      self.begin(call)
      defer { self.record.pointee.call = call.pointee.outer }
      return Swift.Result { try body() }
    }
    if let violation = Self.takeViolation(of: &call) { throw violation }
    return try result.get()
  }

  /// Begins the reducer of a store.
  package func beginReduction(of store: AnyObject) {
    self.record.pointee.callbacks += 1
    self.record.pointee.reduction.function = Function.reducer.rawValue
    self.record.pointee.reduction.store = Self.identity(of: store)
    // The record stays where it is, as long as its thread runs.
    withUnsafeMutablePointer(to: &self.record.pointee.reduction, self.begin)
  }

  /// - Returns: The error of the first forbidden operation that the reducer performed, if any.
  package func endReduction() -> (any Error)? {
    self.record.pointee.callbacks -= 1
    self.record.pointee.call = self.record.pointee.reduction.outer
    return Self.takeViolation(of: &self.record.pointee.reduction)
  }

  private func begin(_ call: UnsafeMutablePointer<pure_call>) {
    call.pointee.outer = self.record.pointee.call
    self.record.pointee.call = call
  }

  private static func takeViolation(of call: inout pure_call) -> (any Error)? {
    guard let violation = call.violation.take() else { return nil }
    return Unmanaged<Violation>.fromOpaque(violation).takeRetainedValue().error
  }

  private static func identity(of object: AnyObject) -> UnsafeRawPointer {
    UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
  }
}

// MARK: Forbidden operations

extension CallScope {
  /// Makes the function that the calling thread is inside fail, whatever it returns, if it must not
  /// perform an operation.
  ///
  /// - Parameters:
  ///   - store: The store whose reducer or selector must not perform it; `nil` for a dispatch,
  ///     which no function may perform.
  ///   - makeError: Returns the error with which the function fails.
  /// - Returns: That error; `nil` if the operation is allowed.
  package func forbid(
    _ store: AnyObject?, _ makeError: (Function) -> any Error
  ) -> (any Error)? {
    var next = self.record.pointee.call
    while let call = next {
      let isForbidden = store.map { call.pointee.store == Self.identity(of: $0) } ?? true
      if isForbidden, let function = Function(rawValue: call.pointee.function) {
        let error = makeError(function)
        if call.pointee.violation == nil {
          call.pointee.violation = Unmanaged.passRetained(Violation(error)).toOpaque()
        }
        return error
      }
      next = call.pointee.outer
    }
    return nil
  }
}

#if DEBUG
  extension CallScope {
    /// The number of locks that this thread has taken, and how often it has looked up its record.
    package static var counts: (locks: Int, lookups: Int) {
      let record = thread_record_current()
      return (record.pointee.locks, record.pointee.lookups)
    }
  }

  @usableFromInline
  func countLock() {
    thread_record_current().pointee.locks += 1
  }
#endif
