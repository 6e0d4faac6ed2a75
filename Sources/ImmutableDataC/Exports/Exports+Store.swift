import CImmutableData
import ImmutableJSON
import StateEngine

@_cdecl("imd_store_open") @implementation
public func imd_store_open(
  _ domain: UnsafePointer<CChar>?,
  _ options: UnsafePointer<CChar>?, _ length: Int,
  _ out: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<imd_error>?
) -> imd_status {
  out?.pointee = nil
  return attempt(error) { () throws(EngineError) in
    let out = try required(out, "out")
    let store = try openStore(
      ofDomain: requiredName(domain, "domain"), optionalValue(options, length, .options))
    out.pointee = stores.create(store)
  }
}

@_cdecl("imd_store_close") @implementation
public func imd_store_close(_ store: OpaquePointer?) {
  guard (try? borrowStore(store, for: .use)) != nil else { return }
  stores.remove(store)?.closeReporting()
}

@_cdecl("imd_store_try_close") @implementation
public func imd_store_try_close(
  _ store: OpaquePointer?, _ error: UnsafeMutablePointer<imd_error>?
) -> imd_status {
  attempt(error) { () throws(EngineError) in
    _ = try borrowStore(store, for: .use)
    if let failure = stores.remove(store)?.close() { throw failure }
  }
}

@_cdecl("imd_store_dispatch") @implementation
public func imd_store_dispatch(
  _ store: OpaquePointer?,
  _ action: UnsafePointer<CChar>?, _ length: Int,
  _ error: UnsafeMutablePointer<imd_error>?
) -> imd_status {
  attempt(error) { () throws(EngineError) in
    let store = try stores.borrow(store)
    let scope = try store.enter(.dispatch)
    let text = try requiredJSON(action, length, .action)
    try store.dispatch(text: text, in: scope)
  }
}

@_cdecl("imd_store_set_dispatch_timeout") @implementation
public func imd_store_set_dispatch_timeout(
  _ store: OpaquePointer?, _ timeout_ms: CInt, _ error: UnsafeMutablePointer<imd_error>?
) -> imd_status {
  attempt(error) { () throws(EngineError) in
    try stores.borrow(store).setDispatchTimeout(milliseconds: timeout_ms)
  }
}

@_cdecl("imd_store_dispatch_batch") @implementation
public func imd_store_dispatch_batch(
  _ store: OpaquePointer?,
  _ actions: UnsafePointer<CChar>?, _ length: Int,
  _ error: UnsafeMutablePointer<imd_error>?
) -> imd_status {
  attempt(error) { () throws(EngineError) in
    let store = try stores.borrow(store)
    let scope = try store.enter(.dispatch)
    let text = try requiredJSON(actions, length, .batch, named: "actions")
    try store.dispatch(batchText: text, in: scope)
  }
}

@_cdecl("imd_store_select") @implementation
public func imd_store_select(
  _ store: OpaquePointer?,
  _ selector: UnsafePointer<CChar>?,
  _ arguments: UnsafePointer<CChar>?, _ length: Int,
  _ out: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
  _ outLength: UnsafeMutablePointer<Int>?,
  _ error: UnsafeMutablePointer<imd_error>?
) -> imd_status {
  returnOwned(out, outLength, error) { () throws(EngineError) in
    let store = try borrowStore(store, for: .select)
    let arguments = try optionalJSON(arguments, length, .arguments)
    let call = SelectCall(
      try bytes(of: required(selector, "selector")), isExpression: false, .init(arguments),
      isWriting: true)
    return try store.text(of: call)
  }
}

@_cdecl("imd_store_query") @implementation
public func imd_store_query(
  _ store: OpaquePointer?,
  _ expression: UnsafePointer<CChar>?,
  _ arguments: UnsafePointer<CChar>?, _ length: Int,
  _ out: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
  _ outLength: UnsafeMutablePointer<Int>?,
  _ error: UnsafeMutablePointer<imd_error>?
) -> imd_status {
  returnOwned(out, outLength, error) { () throws(EngineError) in
    let store = try borrowStore(store, for: .select)
    let arguments = try optionalJSON(arguments, length, .arguments)
    let call = SelectCall(
      try bytes(of: required(expression, "expression")), isExpression: true, .init(arguments),
      isWriting: true)
    return try store.text(of: call)
  }
}

@_cdecl("imd_store_state") @implementation
public func imd_store_state(
  _ store: OpaquePointer?,
  _ out: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<imd_error>?
) -> imd_status {
  returnOwned(out, error) { () throws(EngineError) in
    try borrowStore(store, for: .select).state()
  }
}

@_cdecl("imd_store_confirmed_state") @implementation
public func imd_store_confirmed_state(
  _ store: OpaquePointer?,
  _ out: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<imd_error>?
) -> imd_status {
  returnOwned(out, error) { () throws(EngineError) in
    try borrowStore(store, for: .confirmedState).confirmedState()
  }
}

@_cdecl("imd_store_preview") @implementation
public func imd_store_preview(
  _ store: OpaquePointer?,
  _ actions: UnsafePointer<CChar>?, _ length: Int,
  _ state: UnsafeMutablePointer<OpaquePointer?>?,
  _ patch: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
  _ patchLength: UnsafeMutablePointer<Int>?,
  _ error: UnsafeMutablePointer<imd_error>?
) -> imd_status {
  state?.pointee = nil
  patch?.pointee = nil
  patchLength?.pointee = 0
  return attempt(error) { () throws(EngineError) in
    let store = try stores.borrow(store)
    let scope = try store.enter(.preview)
    let text = try requiredJSON(actions, length, .batch, named: "actions")
    let preview = try store.preview(Value(reading: text, .batch), in: scope)
    let changes = patch == nil ? nil : Text.make(try preview.patch().utf8JSON)
    let next = state == nil ? nil : ValueHandle.create(try preview.state())
    state?.pointee = next
    if let changes {
      patch?.pointee = ownedPointer(to: changes)
      patchLength?.pointee = changes.count
    }
  }
}

@_cdecl("imd_store_statistics") @implementation
public func imd_store_statistics(
  _ store: OpaquePointer?,
  _ out: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
  _ outLength: UnsafeMutablePointer<Int>?,
  _ error: UnsafeMutablePointer<imd_error>?
) -> imd_status {
  returnOwned(out, outLength, error) { () throws(EngineError) in
    Text.make(try borrowStore(store, for: .use).statistics().utf8JSON)
  }
}

@_cdecl("imd_store_backup") @implementation
public func imd_store_backup(
  _ store: OpaquePointer?, _ path: UnsafePointer<CChar>?,
  _ error: UnsafeMutablePointer<imd_error>?
) -> imd_status {
  attempt(error) { () throws(EngineError) in
    try borrowStore(store, for: .use).backup(to: requiredName(path, "path"))
  }
}
