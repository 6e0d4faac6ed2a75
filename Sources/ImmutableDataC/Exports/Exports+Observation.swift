import CImmutableData
import ImmutableJSON
import StateEngine
import Threading

@_cdecl("imd_store_observe") @implementation
public func imd_store_observe(
  _ store: OpaquePointer?, _ selector: UnsafePointer<CChar>?, _ arguments: UnsafePointer<CChar>?,
  _ length: Int, _ options: UnsafePointer<CChar>?, _ optionsLength: Int, _ observer: imd_observer?,
  _ context: UnsafeMutableRawPointer?, _ release: ReleaseFunction?, _ out: Out<OpaquePointer?>,
  _ error: Out<imd_error>
) -> imd_status {
  var functions = imd_observer_functions(
    observer: observer, did_change: nil, filter: nil, dependency_did_change: nil)
  return imd_store_observe_with_functions(
    store, selector, arguments, length, options, optionsLength, &functions, context, release, out,
    error)
}

@_cdecl("imd_store_observe_with_functions") @implementation
public func imd_store_observe_with_functions(
  _ store: OpaquePointer?, _ selector: UnsafePointer<CChar>?, _ arguments: UnsafePointer<CChar>?,
  _ length: Int, _ options: UnsafePointer<CChar>?, _ optionsLength: Int,
  _ functions: UnsafePointer<imd_observer_functions>?, _ context: UnsafeMutableRawPointer?,
  _ release: ReleaseFunction?, _ out: Out<OpaquePointer?>, _ error: Out<imd_error>
) -> imd_status {
  out?.pointee = nil
  return attempt(error) {
    let store = try stores.enter(store, .subscribe).store
    let functions = try required(functions, "functions").pointee
    let observer = CFunction(try required(functions.observer, "observer"), context, release)
    let options = try ObservationOptions(optionalValue(options, optionsLength, .options) ?? [:])
    let arguments = try optionalValue(arguments, length, .arguments) ?? [:]
    let handle = ObservationHandle(out)
    // An observer is called on one thread at a time.
    let lent = ValueHandle.makeReusable()
    try store.observe(
      requiredName(selector, "selector"), arguments, options,
      announcing: { handle.create(for: $0) },
      release: {
        observer.callRelease()
        handle.close()
      },
      filter: functions.filter.map(observer.filter),
      didChange: functions.did_change.map(observer.comparison),
      dependencyDidChange: functions.dependency_did_change.map(observer.dependencyComparison),
      { observer.deliver($0, lending: lent) })
  }
}

@_cdecl("imd_observation_cancel") @implementation
public func imd_observation_cancel(_ observation: OpaquePointer?) {
  observations.find(observation)?.cancel()
}

@_cdecl("imd_store_poll") @implementation
public func imd_store_poll(
  _ store: OpaquePointer?, _ delivered: Out<Int>, _ error: Out<imd_error>
) -> imd_status {
  returnCount(delivered, error) { try stores.borrow(store).poll() }
}

@_cdecl("imd_store_flush") @implementation
public func imd_store_flush(
  _ store: OpaquePointer?, _ timeout_ms: CInt, _ error: Out<imd_error>
) -> imd_status {
  attempt(error) { try stores.borrow(store).flush(milliseconds: timeout_ms) }
}

@_cdecl("imd_store_fd") @implementation
public func imd_store_fd(
  _ store: OpaquePointer?, _ out: Out<CInt>, _ error: Out<imd_error>
) -> imd_status {
  out?.pointee = -1
  return attempt(error) {
    let store = try stores.enter(store, .use).store
    try required(out, "out").pointee = store.descriptor
  }
}

/// The handle of an observation. It stays open until the observer has been released, so that a
/// cancel before that can wait for it.
private final class ObservationHandle: @unchecked Sendable {
  private struct State {
    var handle: OpaquePointer?
    var isClosed = false
  }

  private let out: UnsafeMutablePointer<OpaquePointer?>?
  private let state = Mutex(State())

  init(_ out: UnsafeMutablePointer<OpaquePointer?>?) {
    self.out = out
  }

  func create(for observation: StoreObservation) {
    guard let out else { return }
    let handle = observations.create(observation)
    out.pointee = handle
    let isClosed = self.state.withLock { state in
      state.handle = handle
      return state.isClosed
    }
    // Another thread may have closed the store since the observation was registered.
    if isClosed { self.close() }
  }

  func close() {
    let handle = self.state.withLock { state in
      state.isClosed = true
      return state.handle
    }
    _ = observations.remove(handle)
  }
}

extension CFunction<imd_observer> {
  fileprivate func comparison(_ function: @escaping imd_comparison)
    -> @Sendable (Value, Value) -> Bool
  {
    { delivered, output in
      ValueHandle.withBorrowed([delivered, output]) { function(self.context, $0[0], $0[1]) != 0 }
    }
  }

  fileprivate func dependencyComparison(_ function: @escaping imd_dependency_comparison)
    -> @Sendable (Int, Value, Value) -> Bool
  {
    { index, last, output in
      ValueHandle.withBorrowed([last, output]) {
        function(self.context, index, $0[0], $0[1]) != 0
      }
    }
  }

  fileprivate func filter(_ function: @escaping imd_filter)
    -> @Sendable (Value, Value, Value) -> Bool
  {
    { action, oldState, newState in
      ValueHandle.withBorrowed([action, oldState, newState]) {
        function(self.context, $0[0], $0[1], $0[2]) != 0
      }
    }
  }

  /// - Parameter handle: The handle that the observer borrows.
  fileprivate func deliver(_ delivery: Delivery, lending handle: ValueHandle) {
    switch delivery.content {
    case .value(let value): self.deliver(IMD_DELIVERY_VALUE, value, delivery.skipped, handle)
    case .patch(let patch): self.deliver(IMD_DELIVERY_PATCH, patch, delivery.skipped, handle)
    case .failure(let failure):
      var error = imd_error()
      error.set(failure)
      withUnsafePointer(to: error) { error in
        self.deliver(
          imd_delivery(
            kind: IMD_DELIVERY_FAILURE, value: nil, error: error, skipped: delivery.skipped))
      }
    }
  }

  private func deliver(
    _ kind: imd_delivery_kind, _ value: consuming Value, _ skipped: Int, _ handle: ValueHandle
  ) {
    let lent = handle.lend(value)
    defer { handle.endLoan() }
    self.deliver(imd_delivery(kind: kind, value: lent, error: nil, skipped: skipped))
  }

  private func deliver(_ delivery: imd_delivery) {
    withUnsafePointer(to: delivery) { self.function(self.context, $0) }
  }
}
