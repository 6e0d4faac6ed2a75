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
    let text = try bytes(of: required(selector, "selector"))
    return try store.output(of: text, isExpression: false, arguments, options)
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
    let text = try bytes(of: required(expression, "expression"))
    return try store.output(of: text, isExpression: true, arguments, options)
  }
}

extension AnyStore {
  /// Returns the output of a selector or an expression. The arguments and options may be absent.
  fileprivate func output(
    of text: UnsafeRawBufferPointer, isExpression: Bool, _ arguments: OpaquePointer?,
    _ options: OpaquePointer?
  ) throws(EngineError) -> Value {
    func output(_ arguments: SelectCall.Arguments) throws(EngineError) -> Value {
      let options = try EvaluationOptions(ValueHandle.borrow(options))
      let call = SelectCall(
        text, isExpression: isExpression, arguments, isWriting: false, budget: options.budget)
      return try self.output(of: call).value
    }
    guard let arguments = ValueHandle.borrow(arguments) else { return try output(.none) }
    return try withUnsafePointer(to: arguments) { (arguments) throws(EngineError) in
      try output(.init(arguments))
    }
  }
}
