import CImmutableData
import ImmutableJSON
import StateEngine

@_cdecl("imd_store_set_effect") @implementation
public func imd_store_set_effect(
  _ store: OpaquePointer?, _ name: UnsafePointer<CChar>?,
  _ function: imd_effect_function?, _ context: UnsafeMutableRawPointer?,
  _ release: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?,
  _ error: UnsafeMutablePointer<imd_error>?
) -> imd_status {
  attempt(error) { () throws(EngineError) in
    let store = try borrowStore(store, for: .use)
    let name = try requiredName(name, "name")
    let context = HostContext(pointer: context, release: release)
    guard let function else {
      try store.removeEffect(name)
      return context.callRelease()
    }
    try store.setEffect(name, release: { context.callRelease() }) { task in
      let handle = effects.create(task)
      let number = UInt(bitPattern: handle)
      task.onEnd { _ = effects.remove(OpaquePointer(bitPattern: number)) }
      ValueHandle.withBorrowed(task.arguments) { function(context.pointer, handle, $0) }
    }
  }
}

@_cdecl("imd_effect_resolve") @implementation
public func imd_effect_resolve(
  _ effect: OpaquePointer?, _ result: OpaquePointer?, _ error: UnsafeMutablePointer<imd_error>?
) -> imd_status {
  attempt(error) { () throws(EngineError) in
    try borrowEffect(effect).resolve(ValueHandle.borrow(result) ?? .null)
  }
}

@_cdecl("imd_effect_reject") @implementation
public func imd_effect_reject(
  _ effect: OpaquePointer?, _ reason: UnsafePointer<CChar>?,
  _ error: UnsafeMutablePointer<imd_error>?
) -> imd_status {
  attempt(error) { () throws(EngineError) in
    let effect = try borrowEffect(effect)
    try effect.reject(repairedText(reason, "reason"))
  }
}

@_cdecl("imd_store_set_rule") @implementation
public func imd_store_set_rule(
  _ store: OpaquePointer?, _ rule: imd_rule?, _ context: UnsafeMutableRawPointer?,
  _ release: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?,
  _ error: UnsafeMutablePointer<imd_error>?
) -> imd_status {
  attempt(error) { () throws(EngineError) in
    let store = try borrowStore(store, for: .use)
    let context = HostContext(pointer: context, release: release)
    guard let rule else {
      try store.removeRule()
      return context.callRelease()
    }
    try store.setRule(release: { context.callRelease() }) { action, old, new in
      try requestedEffects(rule, context, action, old, new)
    }
  }
}

@_cdecl("imd_store_set_effect_error_handler") @implementation
public func imd_store_set_effect_error_handler(
  _ store: OpaquePointer?,
  _ handler: imd_effect_error_handler?, _ context: UnsafeMutableRawPointer?,
  _ release: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?,
  _ error: UnsafeMutablePointer<imd_error>?
) -> imd_status {
  attempt(error) { () throws(EngineError) in
    let store = try borrowStore(store, for: .use)
    let context = HostContext(pointer: context, release: release)
    guard let handler else {
      try store.removeEffectErrorHandler()
      return context.callRelease()
    }
    try store.setEffectErrorHandler(release: { context.callRelease() }) { failure in
      var error = imd_error()
      error.set(failure)
      withUnsafePointer(to: error) { handler(context.pointer, $0) }
    }
  }
}

private func borrowEffect(_ handle: OpaquePointer?) throws(EngineError) -> EffectTask {
  if let effect = effects.find(handle) { return effect }
  try effects.requireCreated(handle)
  throw EffectTask.ended
}

/// Calls a rule of the program, and reads the effects that it returns.
private func requestedEffects(
  _ rule: imd_rule, _ context: HostContext, _ action: Value, _ old: Value, _ new: Value
) throws -> [RequestedEffect] {
  let arguments = [action, old, new].map(ValueHandle.lend)
  defer { arguments.forEach { ValueHandle.endBorrow($0) } }
  var returned: OpaquePointer?
  var error = imd_error()
  let status = rule(context.pointer, arguments[0], arguments[1], arguments[2], &returned, &error)
  // Released before the borrowed handles end, because it may be one of them.
  defer { ValueHandle.release(returned) }
  guard status == IMD_OK else {
    let code = EngineError.Code.allCases.first { $0.status == status } ?? .invalidArgument
    throw EngineError(code, error.failureMessage(status, of: "rule"))
  }
  return try RequestedEffect.effects(from: ValueHandle.borrow(returned) ?? .null)
}
