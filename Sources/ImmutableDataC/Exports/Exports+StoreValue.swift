import CImmutableData
import ImmutableJSON
import StateEngine

@_cdecl("imd_store_dispatch_value") @implementation
public func imd_store_dispatch_value(
  _ store: OpaquePointer?, _ action: OpaquePointer?, _ error: Out<imd_error>
) -> imd_status {
  attempt(error) {
    try stores.enter(store, .dispatch) { store, scope in
      try store.dispatch(ValueHandle.borrow(action, "action"), in: scope)
    }
  }
}

@_cdecl("imd_store_dispatch_batch_value") @implementation
public func imd_store_dispatch_batch_value(
  _ store: OpaquePointer?, _ actions: OpaquePointer?, _ error: Out<imd_error>
) -> imd_status {
  attempt(error) {
    try stores.enter(store, .dispatch) { store, scope in
      try store.dispatch(batch: ValueHandle.borrow(actions, "actions"), in: scope)
    }
  }
}

@_cdecl("imd_store_select_value") @implementation
public func imd_store_select_value(
  _ store: OpaquePointer?, _ selector: UnsafePointer<CChar>?, _ arguments: OpaquePointer?,
  _ options: OpaquePointer?, _ out: Out<OpaquePointer?>, _ error: Out<imd_error>
) -> imd_status {
  returnOwned(out, error) {
    try output(of: store, selector, isExpression: false, arguments, options)
  }
}

@_cdecl("imd_store_query_value") @implementation
public func imd_store_query_value(
  _ store: OpaquePointer?, _ expression: UnsafePointer<CChar>?, _ arguments: OpaquePointer?,
  _ options: OpaquePointer?, _ out: Out<OpaquePointer?>, _ error: Out<imd_error>
) -> imd_status {
  returnOwned(out, error) {
    try output(of: store, expression, isExpression: true, arguments, options)
  }
}

private func output(
  of store: OpaquePointer?, _ text: UnsafePointer<CChar>?, isExpression: Bool,
  _ arguments: OpaquePointer?, _ options: OpaquePointer?
) throws -> Value {
  try stores.enter(store, .select) { store, _ in
    let text = try bytes(of: required(text, isExpression ? "expression" : "selector"))
    func output(_ arguments: SelectCall.Arguments) throws -> Value {
      let options = try EvaluationOptions(ValueHandle.borrow(options))
      let call = SelectCall(
        text, isExpression: isExpression, arguments, isWriting: false, budget: options.budget)
      return try store.output(of: call).value
    }
    guard let arguments = ValueHandle.borrow(arguments) else { return try output(.none) }
    return try withUnsafePointer(to: arguments) { try output(.init($0)) }
  }
}
