import CImmutableData
import ImmutableJSON
import StateEngine
import Threading

@_cdecl("imd_store_open") @implementation
public func imd_store_open(
  _ domain: UnsafePointer<CChar>?, _ options: UnsafePointer<CChar>?, _ length: Int,
  _ out: Out<OpaquePointer?>, _ error: Out<imd_error>
) -> imd_status {
  out?.pointee = nil
  return attempt(error) {
    let out = try required(out, "out")
    let store = try openStore(
      ofDomain: requiredName(domain, "domain"), optionalValue(options, length, .options))
    out.pointee = stores.create(store)
  }
}

@_cdecl("imd_store_close") @implementation
public func imd_store_close(_ store: OpaquePointer?) {
  guard (try? stores.enter(store, .use)) != nil else { return }
  stores.remove(store)?.closeReporting()
}

@_cdecl("imd_store_try_close") @implementation
public func imd_store_try_close(_ store: OpaquePointer?, _ error: Out<imd_error>) -> imd_status {
  attempt(error) {
    _ = try stores.enter(store, .use)
    if let failure = stores.remove(store)?.close() { throw failure }
  }
}

@_cdecl("imd_store_dispatch") @implementation
public func imd_store_dispatch(
  _ store: OpaquePointer?, _ action: UnsafePointer<CChar>?, _ length: Int, _ error: Out<imd_error>
) -> imd_status {
  attempt(error) {
    try stores.enter(store, .dispatch) { store, scope in
      try store.dispatch(text: requiredJSON(action, length, .action), in: scope)
    }
  }
}

@_cdecl("imd_store_dispatch_async") @implementation
public func imd_store_dispatch_async(
  _ store: OpaquePointer?, _ action: UnsafePointer<CChar>?, _ length: Int,
  _ done: imd_dispatch_done?, _ context: UnsafeMutableRawPointer?, _ error: Out<imd_error>
) -> imd_status {
  let done = CFunction(done, context, nil)
  return attempt(error) {
    let store = try stores.enter(store, .dispatch).store
    let action = try Value(reading: requiredJSON(action, length, .action), .action)
    try store.dispatchLater(action) { failure in
      var error = imd_error()
      if let failure { error.set(failure) }
      withUnsafePointer(to: error) { error in
        CallScope.callback { done.function?(done.context, error) }
      }
    }
  }
}

@_cdecl("imd_store_set_dispatch_timeout") @implementation
public func imd_store_set_dispatch_timeout(
  _ store: OpaquePointer?, _ timeout_ms: CInt, _ error: Out<imd_error>
) -> imd_status {
  attempt(error) { try stores.borrow(store).setDispatchTimeout(milliseconds: timeout_ms) }
}

@_cdecl("imd_store_dispatch_batch") @implementation
public func imd_store_dispatch_batch(
  _ store: OpaquePointer?, _ actions: UnsafePointer<CChar>?, _ length: Int, _ error: Out<imd_error>
) -> imd_status {
  attempt(error) {
    try stores.enter(store, .dispatch) { store, scope in
      let text = try requiredJSON(actions, length, .batch, named: "actions")
      try store.dispatch(batchText: text, in: scope)
    }
  }
}

@_cdecl("imd_store_select") @implementation
public func imd_store_select(
  _ store: OpaquePointer?, _ selector: UnsafePointer<CChar>?, _ arguments: UnsafePointer<CChar>?,
  _ length: Int, _ out: Out<UnsafeMutablePointer<CChar>?>, _ outLength: Out<Int>,
  _ error: Out<imd_error>
) -> imd_status {
  returnOwnedText(out, outLength, error) {
    try output(of: store, selector, isExpression: false, arguments, length)
  }
}

@_cdecl("imd_store_query") @implementation
public func imd_store_query(
  _ store: OpaquePointer?, _ expression: UnsafePointer<CChar>?, _ arguments: UnsafePointer<CChar>?,
  _ length: Int, _ out: Out<UnsafeMutablePointer<CChar>?>, _ outLength: Out<Int>,
  _ error: Out<imd_error>
) -> imd_status {
  returnOwnedText(out, outLength, error) {
    try output(of: store, expression, isExpression: true, arguments, length)
  }
}

private func output(
  of store: OpaquePointer?, _ text: UnsafePointer<CChar>?, isExpression: Bool,
  _ arguments: UnsafePointer<CChar>?, _ length: Int
) throws -> OwnedText {
  try stores.enter(store, .select) { store, _ in
    let arguments = try SelectCall.Arguments(optionalJSON(arguments, length, .arguments))
    let text = try bytes(of: required(text, isExpression ? "expression" : "selector"))
    let call = SelectCall(text, isExpression: isExpression, arguments, isWriting: true)
    return try store.ownedText(of: call)
  }
}

@_cdecl("imd_store_state") @implementation
public func imd_store_state(
  _ store: OpaquePointer?, _ out: Out<OpaquePointer?>, _ error: Out<imd_error>
) -> imd_status {
  out?.pointee = nil
  return attempt(error) {
    try stores.use(store) { store in
      let handle = try store.stateObject(orMake: ValueHandle.make)
      try required(out, "out").pointee = ValueHandle.own(handle)
    }
  }
}

@_cdecl("imd_store_confirmed_state") @implementation
public func imd_store_confirmed_state(
  _ store: OpaquePointer?, _ out: Out<OpaquePointer?>, _ error: Out<imd_error>
) -> imd_status {
  returnOwned(out, error) { try stores.enter(store, .confirmedState).store.confirmedState() }
}

@_cdecl("imd_store_preview") @implementation
public func imd_store_preview(
  _ store: OpaquePointer?, _ actions: UnsafePointer<CChar>?, _ length: Int,
  _ state: Out<OpaquePointer?>, _ patch: Out<UnsafeMutablePointer<CChar>?>, _ patchLength: Out<Int>,
  _ error: Out<imd_error>
) -> imd_status {
  state?.pointee = nil
  patch?.pointee = nil
  patchLength?.pointee = 0
  return attempt(error) {
    let (store, scope) = try stores.enter(store, .preview)
    let text = try requiredJSON(actions, length, .batch, named: "actions")
    let preview = try store.preview(Value(reading: text, .batch), in: scope)
    let changes = patch == nil ? nil : Text.make(json: try preview.patch())
    let next = state == nil ? nil : ValueHandle.create(try preview.state())
    state?.pointee = next
    if let changes {
      patch?.pointee = changes.owned.pointer
      patchLength?.pointee = changes.count
    }
  }
}

@_cdecl("imd_store_statistics") @implementation
public func imd_store_statistics(
  _ store: OpaquePointer?, _ out: Out<UnsafeMutablePointer<CChar>?>, _ outLength: Out<Int>,
  _ error: Out<imd_error>
) -> imd_status {
  returnOwned(out, outLength, error) {
    Text.make(json: try stores.enter(store, .use).store.statistics())
  }
}

@_cdecl("imd_store_backup") @implementation
public func imd_store_backup(
  _ store: OpaquePointer?, _ path: UnsafePointer<CChar>?, _ error: Out<imd_error>
) -> imd_status {
  attempt(error) { try stores.enter(store, .use).store.backup(to: requiredName(path, "path")) }
}
