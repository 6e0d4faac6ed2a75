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
    guard let function else {
      try store.removeEffect(name)
      return releaseContext(context, release)
    }
    let effect = CFunction(function, context, release)
    try store.setEffect(name, release: effect.callRelease) { task in
      let handle = effects.create(untilEndOf: task)
      ValueHandle.withBorrowed(task.arguments) {
        effect.function(effect.context, handle, $0)
      }
    }
  }
}

@_cdecl("imd_effect_resolve") @implementation
public func imd_effect_resolve(
  _ effect: OpaquePointer?, _ result: OpaquePointer?, _ error: UnsafeMutablePointer<imd_error>?
) -> imd_status {
  attempt(error) { () throws(EngineError) in
    try effects.borrowTask(effect).resolve(ValueHandle.borrow(result) ?? .null)
  }
}

@_cdecl("imd_effect_reject") @implementation
public func imd_effect_reject(
  _ effect: OpaquePointer?, _ reason: UnsafePointer<CChar>?,
  _ error: UnsafeMutablePointer<imd_error>?
) -> imd_status {
  attempt(error) { () throws(EngineError) in
    let effect = try effects.borrowTask(effect)
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
    guard let rule else {
      try store.removeRule()
      return releaseContext(context, release)
    }
    let function = CFunction(rule, context, release)
    try store.setRule(release: function.callRelease, function.effects)
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
    guard let handler else {
      try store.removeEffectErrorHandler()
      return releaseContext(context, release)
    }
    let function = CFunction(handler, context, release)
    try store.setEffectErrorHandler(release: function.callRelease) { failure in
      var error = imd_error()
      error.set(failure)
      withUnsafePointer(to: error) { function.function(function.context, $0) }
    }
  }
}

extension CFunction<imd_rule> {
  /// Calls a rule of the program, and reads the effects that it returns.
  @Sendable fileprivate func effects(
    of action: Value, _ old: Value, _ new: Value
  ) throws -> [RequestedEffect] {
    let arguments = [action, old, new].map(ValueHandle.lend)
    defer { arguments.forEach { ValueHandle.endBorrow($0) } }
    var returned: OpaquePointer?
    var error = imd_error()
    let status = self.function(
      self.context, arguments[0], arguments[1], arguments[2], &returned, &error)
    // Released before the borrowed handles end, because it may be one of them.
    defer { ValueHandle.release(returned) }
    guard status == IMD_OK else {
      let code = EngineError.Code.allCases.first { $0.status == status } ?? .invalidArgument
      throw error.failure(code, status, of: "rule")
    }
    return try RequestedEffect.effects(from: ValueHandle.borrow(returned) ?? .null)
  }
}
