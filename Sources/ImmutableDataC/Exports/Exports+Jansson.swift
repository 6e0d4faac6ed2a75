import CImmutableData
import CJansson
import ImmutableJSON
import StateEngine

@_cdecl("imd_value_from_jansson") @implementation
public func imd_value_from_jansson(
  _ json: UnsafePointer<json_t>?, _ out: Out<OpaquePointer?>, _ error: Out<imd_error>
) -> imd_status {
  returnOwned(out, error) { try requiredValue(json, "json") }
}

@_cdecl("imd_value_to_jansson") @implementation
public func imd_value_to_jansson(
  _ value: OpaquePointer?, _ out: Out<UnsafeMutablePointer<json_t>?>, _ error: Out<imd_error>
) -> imd_status {
  returnOwned(out, error) { try ValueHandle.borrow(value, "value") }
}

@_cdecl("imd_store_dispatch_jansson") @implementation
public func imd_store_dispatch_jansson(
  _ store: OpaquePointer?, _ action: UnsafePointer<json_t>?, _ error: Out<imd_error>
) -> imd_status {
  attempt(error) {
    let (store, scope) = try stores.enter(store, .dispatch)
    try store.dispatch(requiredValue(action, "action"), in: scope)
  }
}

@_cdecl("imd_store_select_jansson") @implementation
public func imd_store_select_jansson(
  _ store: OpaquePointer?, _ selector: UnsafePointer<CChar>?, _ arguments: UnsafePointer<json_t>?,
  _ out: Out<UnsafeMutablePointer<json_t>?>, _ error: Out<imd_error>
) -> imd_status {
  returnOwned(out, error) {
    try stores.enter(store, .select).store.select(
      requiredName(selector, "selector"),
      arguments.map { try requiredValue($0, "arguments") } ?? [:])
  }
}

/// Converts a parameter. `name` is its name in messages.
private func requiredValue(
  _ json: UnsafePointer<json_t>?, _ name: String
) throws(EngineError) -> Value {
  let json = try required(json, name)
  do {
    return try Value(jansson: json)
  } catch {
    switch error.code {
    case .invalid: throw EngineError(.invalidJSON, "\(name) is invalid: \(error.message)")
    case .limit: throw EngineError(.limit, "\(name) is beyond a limit: \(error.message)")
    }
  }
}

private func returnOwned(
  _ out: Out<UnsafeMutablePointer<json_t>?>, _ error: Out<imd_error>, _ body: () throws -> Value
) -> imd_status {
  out?.pointee = nil
  return attempt(error) {
    let value = try body()
    let out = try required(out, "out")
    // jansson has no structural sharing: a shared part is copied once for each reference to it.
    var budget = WorkBudget()
    do {
      try budget.charge(value.valueCount)
    } catch {
      throw EngineError(.limit, "making the json_t takes \(error)")
    }
    guard let json = value.makeJansson() else {
      throw EngineError(.limit, "out of memory")
    }
    out.pointee = json
  }
}
