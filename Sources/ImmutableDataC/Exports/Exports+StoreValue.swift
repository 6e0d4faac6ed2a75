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
    if arguments == nil, options == nil,
      let output = store.recentOutput(of: selector, isExpression: false, isWriting: false)
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
    if arguments == nil, options == nil,
      let output = store.recentOutput(of: expression, isExpression: true, isWriting: false)
    {
      return output.value
    }
    return try store.query(
      requiredName(expression, "expression"), ValueHandle.borrow(arguments) ?? [:],
      EvaluationOptions(ValueHandle.borrow(options)))
  }
}

extension AnyStore {
  /// Returns the output of a selector or expression without arguments, if it was selected recently
  /// and the state has not changed since.
  func recentOutput(
    of selector: UnsafePointer<CChar>?, isExpression: Bool, isWriting: Bool
  ) -> Output? {
    selector.flatMap { selector in
      self.recentOutput(
        of: SelectorText(
          text: bytes(of: selector), isExpression: isExpression, isWriting: isWriting))
    }
  }
}
