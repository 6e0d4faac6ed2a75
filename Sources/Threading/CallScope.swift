#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Whether the calling thread is inside host code or domain code that the engine called.
///
/// Inside such code no call waits for another thread's callback, delivery, stream space or effect:
/// two threads that wait for each other's callbacks would deadlock.
package enum CallScope {
  /// One per thread, allocated when the thread first calls host code.
  private struct Record {
    var callbacks = 0
    var reduction: Reduction?
    var pureCall: PureCall?
  }

  /// A function of the host that decides something: it must be pure, and must not dispatch.
  package enum PureFunction: Sendable {
    case rule, comparison, filter
  }

  /// A running function that decides something.
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

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key) { record in
      #if canImport(Darwin)
        record.assumingMemoryBound(to: Record.self).destroyAndFree()
      #else
        record?.assumingMemoryBound(to: Record.self).destroyAndFree()
      #endif
    }
    return key
  }()

  private static var existing: UnsafeMutablePointer<Record>? {
    pthread_getspecific(self.key)?.assumingMemoryBound(to: Record.self)
  }

  private static func record() -> UnsafeMutablePointer<Record> {
    if let existing { return existing }
    let record = UnsafeMutablePointer<Record>.allocate(capacity: 1)
    record.initialize(to: Record())
    pthread_setspecific(self.key, record)
    return record
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

  /// Runs host code that is not a reducer: an observer, a fetch function, a release function.
  package static func callback<Result>(_ body: () -> Result) -> Result {
    let record = self.record()
    record.pointee.callbacks += 1
    defer { record.pointee.callbacks -= 1 }
    return body()
  }
}

// MARK: Functions that decide

extension CallScope {
  /// The function that the calling thread is inside, if it is one that decides something.
  package static var currentPureFunction: PureFunction? {
    self.existing?.pointee.pureCall?.function
  }

  /// Runs a function that decides something.
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

  /// Records the error of a forbidden operation of the function.
  package static func recordViolation(ofPureFunction violation: any Error) {
    guard let record = self.existing, record.pointee.pureCall?.violation == nil else { return }
    record.pointee.pureCall?.violation = violation
  }
}

// MARK: Reducers

extension CallScope {
  /// Whether the calling thread is inside a reducer or another pure function, where some operations
  /// are forbidden.
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
