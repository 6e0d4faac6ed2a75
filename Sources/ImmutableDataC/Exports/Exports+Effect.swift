import CImmutableData
import ImmutableJSON
import StateEngine

@_cdecl("imd_store_set_effect") @implementation
public func imd_store_set_effect(
  _ store: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ function: imd_effect_function?,
  _ context: UnsafeMutableRawPointer?, _ release: ReleaseFunction?, _ error: Out<imd_error>
) -> imd_status {
  setFunction(of: store, function, context, release, error) {
    try $0.removeEffect(requiredName(name, "name"))
  } _: { store, effect in
    try store.setEffect(requiredName(name, "name"), release: effect.callRelease) { task in
      let handle = effects.create(untilEndOf: task)
      ValueHandle.withBorrowed(task.arguments) { effect.function(effect.context, handle, $0) }
    }
  }
}

@_cdecl("imd_effect_resolve") @implementation
public func imd_effect_resolve(
  _ effect: OpaquePointer?, _ result: OpaquePointer?, _ error: Out<imd_error>
) -> imd_status {
  attempt(error) { try effects.borrowTask(effect).resolve(ValueHandle.borrow(result) ?? .null) }
}

@_cdecl("imd_effect_reject") @implementation
public func imd_effect_reject(
  _ effect: OpaquePointer?, _ reason: UnsafePointer<CChar>?, _ error: Out<imd_error>
) -> imd_status {
  attempt(error) { try effects.borrowTask(effect).reject(repairedText(reason, "reason")) }
}

@_cdecl("imd_effect_set_cancel") @implementation
public func imd_effect_set_cancel(
  _ effect: OpaquePointer?, _ function: imd_effect_cancel?, _ context: UnsafeMutableRawPointer?,
  _ release: ReleaseFunction?, _ error: Out<imd_error>
) -> imd_status {
  attempt(error) {
    let cancel = CFunction(try required(function, "function"), context, release)
    try effects.borrowTask(effect).onCancel(release: cancel.callRelease) {
      cancel.function(cancel.context)
    }
  }
}

@_cdecl("imd_store_set_rule") @implementation
public func imd_store_set_rule(
  _ store: OpaquePointer?, _ rule: imd_rule?, _ context: UnsafeMutableRawPointer?,
  _ release: ReleaseFunction?, _ error: Out<imd_error>
) -> imd_status {
  setFunction(of: store, rule, context, release, error) {
    try $0.removeRule()
  } _: { store, rule in
    try store.setRule(release: rule.callRelease, rule.effects)
  }
}

@_cdecl("imd_store_set_effect_error_handler") @implementation
public func imd_store_set_effect_error_handler(
  _ store: OpaquePointer?, _ handler: imd_effect_error_handler?,
  _ context: UnsafeMutableRawPointer?, _ release: ReleaseFunction?, _ error: Out<imd_error>
) -> imd_status {
  setFunction(of: store, handler, context, release, error) {
    try $0.removeEffectErrorHandler()
  } _: { store, handler in
    try store.setEffectErrorHandler(release: handler.callRelease) { failure in
      var error = imd_error()
      error.set(failure)
      withUnsafePointer(to: error) { handler.function(handler.context, $0) }
    }
  }
}

extension CFunction<imd_rule> {
  /// Calls a rule of the program, and reads the effects that it returns.
  @Sendable fileprivate func effects(
    of action: Value, _ old: Value, _ new: Value
  ) throws -> [RequestedEffect] {
    let effects = try ValueHandle.withBorrowed([action, old, new]) { lent in
      try ValueHandle.returned(by: "rule") {
        self.function(self.context, lent[0], lent[1], lent[2], $0, $1)
      }
    }
    return try RequestedEffect.effects(from: effects ?? .null)
  }
}
