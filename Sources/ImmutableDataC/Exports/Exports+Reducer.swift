import CImmutableData
import ImmutableData
import ImmutableJSON
import StateEngine

@_cdecl("imd_store_create") @implementation
public func imd_store_create(
  _ state: UnsafePointer<CChar>?, _ length: Int, _ reducer: imd_reducer?,
  _ context: UnsafeMutableRawPointer?, _ release: ReleaseFunction?,
  _ options: UnsafePointer<CChar>?, _ optionsLength: Int, _ out: Out<OpaquePointer?>,
  _ error: Out<imd_error>
) -> imd_status {
  out?.pointee = nil
  return attempt(error) {
    let out = try required(out, "out")
    let reducer = try required(reducer, "reducer")
    let state = try Value(reading: requiredJSON(state, length, .state), .state)
    let options = try optionalValue(options, optionsLength, .options)
    let function = ReducerFunction(
      CFunction(reducer, context, release), isInterruptible: options?["interruptible"] == true)
    let store = try AnyStore(
      state: state, options: options, reducerOptions: [.interruptible],
      valueReducer: function.reduce)
    function.takeOwnership()
    out.pointee = stores.create(store)
  }
}

extension Schema.Property {
  /// The option for a reducer whose status is undefined after an interruption.
  fileprivate static var interruptible: Schema.Property {
    .init(
      "interruptible", .boolean, isRequired: false,
      "Whether the reducer confirms each result, since it may be interrupted. False by default.")
  }
}

/// A reducer whose context the program keeps; `nil` for none.
func borrowedReducer(
  _ reducer: imd_reducer?, _ context: UnsafeMutableRawPointer?
) -> Log.Reducer? {
  reducer.map { reducer in
    let function = ReducerFunction(CFunction(reducer, context, nil), isInterruptible: false)
    return { state, action in
      var next = state
      try function.reduce(&next, .value(action))?.make(in: &next)
      return next
    }
  }
}

/// The program's reducer.
private final class ReducerFunction: @unchecked Sendable {
  private let reducer: CFunction<imd_reducer>

  /// Whether a result that the reducer did not confirm is an interruption.
  private let isInterruptible: Bool

  // A store reduces one action at a time.
  private let stateHandle = ValueHandle.makeReusable(isState: true)
  private let actionHandle = ValueHandle.makeReusable()

  /// Whether the store owns the context, and releases it.
  private var ownsContext = false

  init(_ reducer: CFunction<imd_reducer>, isInterruptible: Bool) {
    self.reducer = reducer
    self.isInterruptible = isInterruptible
  }

  deinit {
    if self.ownsContext { self.reducer.callRelease() }
  }

  /// Takes ownership of the context. Called once, before another thread can see the store.
  func takeOwnership() {
    self.ownsContext = true
  }

  /// Replaces the state, or leaves it and returns edits of it.
  @Sendable
  func reduce(_ state: inout Value, _ action: ValueAction) throws -> ValueEdits? {
    let stateHandle = self.stateHandle.lend(state)
    let actionHandle = self.actionHandle.lend(action)
    defer {
      self.stateHandle.endLoan()
      self.actionHandle.endLoan()
    }
    var next: OpaquePointer?
    var error = imd_error()
    let status = self.reducer.function(
      self.reducer.context, stateHandle, actionHandle, &next, &error)
    // Released before the borrowed handles end, because `next` may be one of them.
    defer { ValueHandle.release(next) }
    let isConfirmed = status == IMD_OK ? next != nil : error.status == status
    guard isConfirmed || !self.isInterruptible else {
      throw ReducerInterruption(EngineError(.reducerFailed, "the reducer was interrupted"))
    }
    guard status == IMD_OK else {
      let failure = error.failure(.reducerFailed, status, of: "reducer")
      if [IMD_TIMEOUT, IMD_LIMIT].contains(status) {
        throw ReducerInterruption(failure, isLimit: status == IMD_LIMIT)
      }
      throw failure
    }
    if let edits = ValueHandle.edits(of: next, in: state) { return edits }
    if let next = ValueHandle.borrow(next) { state = next }
    return nil
  }
}

extension imd_error {
  /// The error of a function of the program that failed, with its message and code.
  func failure(
    _ code: EngineError.Code, _ status: imd_status, of function: String
  ) -> EngineError {
    var message = self.text
    if message.isEmpty {
      let name = imd_status_name(status).map { String(cString: $0) } ?? ""
      message = "the \(function) returned \(name) and no message"
    }
    var failure = EngineError(code, message)
    failure.programCode = self.code
    return failure
  }
}
