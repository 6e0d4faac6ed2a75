#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Whether the calling thread is inside a callback, a reducer or a pure function.
///
/// Inside a callback or a reducer no call waits for another thread's callback, delivery, stream
/// space or effect: two threads that wait for each other's callbacks would deadlock.
package enum CallScope {
  /// One per thread, allocated when the thread first runs one of these functions.
  private struct Record {
    var callbacks = 0
    var reduction: Reduction?
    var pureCall: PureCall?
  }

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

  /// A running reducer. A thread runs at most one, because a reducer cannot dispatch.
  package struct Reduction {
    fileprivate let store: ObjectIdentifier
    /// The error of the first forbidden operation that the reducer performed, if any.
    package fileprivate(set) var violation: (any Error)?

    /// Closes the store after the reducer has returned. Present if the reducer closed the store.
    package fileprivate(set) var close: (() -> Void)?
  }

  /// The thread-specific key of a thread's record; `nil` if the process has no keys left.
  private static let key: pthread_key_t? = {
    var key = pthread_key_t()
    let error = pthread_key_create(&key) { record in
      #if canImport(Darwin)
        record.assumingMemoryBound(to: Record.self).destroyAndFree()
      #else
        record?.assumingMemoryBound(to: Record.self).destroyAndFree()
      #endif
    }
    return error == 0 ? key : nil
  }()

  private static var existing: UnsafeMutablePointer<Record>? {
    guard let key = self.key else { return nil }
    return pthread_getspecific(key)?.assumingMemoryBound(to: Record.self)
  }

  private static func record() -> UnsafeMutablePointer<Record> {
    if let existing { return existing }
    // Without a record, calls inside callbacks could deadlock. AnyStore checks this when it opens.
    guard let key = self.key else { fatalError("the process has no thread-specific keys left") }
    let record = UnsafeMutablePointer<Record>.allocate(capacity: 1)
    record.initialize(to: Record())
    guard pthread_setspecific(key, record) == 0 else { fatalError("out of memory") }
    return record
  }
}

extension CallScope {
  /// Whether code of the program can be called: `false` if the process has no thread-specific keys
  /// left.
  package static var isAvailable: Bool {
    self.key != nil
  }
}

extension UnsafeMutablePointer {
  fileprivate func destroyAndFree() {
    self.deinitialize(count: 1)
    self.deallocate()
  }
}

// MARK: Callbacks

extension CallScope {
  /// Whether the calling thread is inside a callback or a reducer.
  package static var isInsideCallback: Bool {
    guard let record = self.existing else { return false }
    return record.pointee.callbacks > 0 || record.pointee.reduction != nil
  }

  /// Runs code of the program that is not a reducer: an observer, a fetch function, a release
  /// function.
  package static func callback<Result>(_ body: () -> Result) -> Result {
    let record = self.record()
    record.pointee.callbacks += 1
    defer { record.pointee.callbacks -= 1 }
    return body()
  }
}

// MARK: Pure functions

extension CallScope {
  /// The pure function that the calling thread is inside, if any.
  package static var currentPureFunction: PureFunction? {
    self.existing?.pointee.pureCall?.function
  }

  /// Runs a pure function.
  ///
  /// - Throws: The error of a forbidden operation, even if the function ignored it.
  package static func pureFunction<Result>(
    _ function: PureFunction, _ body: () throws -> Result
  ) throws -> Result {
    let record = self.record()
    let outer = record.pointee.pureCall
    record.pointee.pureCall = PureCall(function: function)
    defer { record.pointee.pureCall = outer }
    let result = try body()
    if let violation = record.pointee.pureCall?.violation { throw violation }
    return result
  }

  /// Records the error of a forbidden operation of the pure function.
  package static func recordViolation(ofPureFunction violation: any Error) {
    guard let record = self.existing, record.pointee.pureCall?.violation == nil else { return }
    record.pointee.pureCall?.violation = violation
  }
}

// MARK: Reducers

extension CallScope {
  /// Whether the calling thread is inside a reducer or a pure function, where some operations are
  /// forbidden.
  package static var isRestricted: Bool {
    guard let record = self.existing else { return false }
    return record.pointee.reduction != nil || record.pointee.pureCall != nil
  }

  /// Whether the calling thread is inside the reducer of any store.
  package static var isReducing: Bool {
    self.existing?.pointee.reduction != nil
  }

  /// Whether the calling thread is inside the reducer of one store.
  package static func isReducing(_ store: AnyObject) -> Bool {
    self.existing?.pointee.reduction?.store == ObjectIdentifier(store)
  }

  package static func beginReduction(_ store: AnyObject) {
    self.record().pointee.reduction = Reduction(store: ObjectIdentifier(store))
  }

  package static func endReduction() -> Reduction? {
    self.existing?.pointee.reduction.take()
  }

  /// Records the error of a forbidden operation of the reducer. Its dispatch then fails.
  package static func recordViolation(_ violation: any Error) {
    guard let record = self.existing, record.pointee.reduction?.violation == nil else { return }
    record.pointee.reduction?.violation = violation
  }

  /// Runs `body` after the reducer has returned.
  package static func closeAfterReduction(_ body: @escaping () -> Void) {
    self.existing?.pointee.reduction?.close = body
  }
}
