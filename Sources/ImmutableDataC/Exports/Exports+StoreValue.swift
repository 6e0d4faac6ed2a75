import CImmutableData
import ImmutableJSON
import StateEngine

@_cdecl("imd_store_dispatch_value") @implementation
public func imd_store_dispatch_value(
  _ store: OpaquePointer?, _ action: OpaquePointer?,
  _ error: UnsafeMutablePointer<imd_error>?
) -> imd_status {
  attempt(error) { () throws(EngineError) in
    try borrowStore(store, for: .dispatch).dispatch(ValueHandle.borrow(action, "action"))
  }
}

@_cdecl("imd_store_dispatch_batch_value") @implementation
public func imd_store_dispatch_batch_value(
  _ store: OpaquePointer?, _ actions: OpaquePointer?,
  _ error: UnsafeMutablePointer<imd_error>?
) -> imd_status {
  attempt(error) { () throws(EngineError) in
    try borrowStore(store, for: .dispatch).dispatch(batch: ValueHandle.borrow(actions, "actions"))
  }
}

@_cdecl("imd_store_select_value") @implementation
public func imd_store_select_value(
  _ store: OpaquePointer?,
  _ selector: UnsafePointer<CChar>?,
  _ arguments: OpaquePointer?, _ options: OpaquePointer?,
  _ out: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<imd_error>?
) -> imd_status {
  returnOwned(out, error) { () throws(EngineError) in
    let store = try borrowStore(store, for: .select)
    if options == nil,
      let output = store.recentOutput(of: selector, isExpression: false, arguments: arguments)
    {
      return output.value
    }
    return try store.select(
      requiredName(selector, "selector"), ValueHandle.borrow(arguments) ?? [:],
      EvaluationOptions(ValueHandle.borrow(options)))
  }
}

@_cdecl("imd_store_query_value") @implementation
public func imd_store_query_value(
  _ store: OpaquePointer?,
  _ expression: UnsafePointer<CChar>?,
  _ arguments: OpaquePointer?, _ options: OpaquePointer?,
  _ out: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<imd_error>?
) -> imd_status {
  returnOwned(out, error) { () throws(EngineError) in
    let store = try borrowStore(store, for: .select)
    if options == nil,
      let output = store.recentOutput(of: expression, isExpression: true, arguments: arguments)
    {
      return output.value
    }
    return try store.query(
      requiredName(expression, "expression"), ValueHandle.borrow(arguments) ?? [:],
      EvaluationOptions(ValueHandle.borrow(options)))
  }
}

// A call that was made recently takes no parsing.
extension AnyStore {
  /// Returns the output of a call with the arguments as text, which may be absent, if the same call
  /// was made recently and the state has not changed since.
  func recentOutput(
    of selector: UnsafePointer<CChar>?, isExpression: Bool, argumentsJSON: UnsafeRawBufferPointer?
  ) -> CachedOutput? {
    self.recentOutput(of: selector, isExpression, .init(argumentsJSON), isWriting: true)
  }

  /// Returns the same for arguments in a handle, which may be absent.
  fileprivate func recentOutput(
    of selector: UnsafePointer<CChar>?, isExpression: Bool, arguments: OpaquePointer?
  ) -> CachedOutput? {
    guard let arguments = ValueHandle.borrow(arguments) else {
      return self.recentOutput(of: selector, isExpression, .none, isWriting: false)
    }
    return withUnsafePointer(to: arguments) { arguments in
      self.recentOutput(of: selector, isExpression, .init(arguments), isWriting: false)
    }
  }

  private func recentOutput(
    of selector: UnsafePointer<CChar>?, _ isExpression: Bool, _ arguments: SelectCall.Arguments,
    isWriting: Bool
  ) -> CachedOutput? {
    selector.flatMap { selector in
      self.recentOutput(
        of: SelectCall(
          selector: bytes(of: selector), isExpression: isExpression, arguments: arguments,
          isWriting: isWriting))
    }
  }
}
