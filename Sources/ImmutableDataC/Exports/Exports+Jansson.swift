import CImmutableData
import CJansson
import ImmutableJSON
import StateEngine

@_cdecl("imd_value_from_jansson") @implementation
public func imd_value_from_jansson(
  _ json: UnsafePointer<json_t>?,
  _ out: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<imd_error>?
) -> imd_status {
  returnOwned(out, error) { () throws(EngineError) in
    try requiredValue(json, "json")
  }
}

@_cdecl("imd_value_to_jansson") @implementation
public func imd_value_to_jansson(
  _ value: OpaquePointer?,
  _ out: UnsafeMutablePointer<UnsafeMutablePointer<json_t>?>?,
  _ error: UnsafeMutablePointer<imd_error>?
) -> imd_status {
  returnOwned(out, error) { () throws(EngineError) in
    try ValueHandle.borrow(value, "value")
  }
}

@_cdecl("imd_store_dispatch_jansson") @implementation
public func imd_store_dispatch_jansson(
  _ store: OpaquePointer?, _ action: UnsafePointer<json_t>?,
  _ error: UnsafeMutablePointer<imd_error>?
) -> imd_status {
  attempt(error) { () throws(EngineError) in
    try borrowStore(store, for: .dispatch).dispatch(requiredValue(action, "action"))
  }
}

@_cdecl("imd_store_select_jansson") @implementation
public func imd_store_select_jansson(
  _ store: OpaquePointer?,
  _ selector: UnsafePointer<CChar>?, _ arguments: UnsafePointer<json_t>?,
  _ out: UnsafeMutablePointer<UnsafeMutablePointer<json_t>?>?,
  _ error: UnsafeMutablePointer<imd_error>?
) -> imd_status {
  returnOwned(out, error) { () throws(EngineError) in
    try borrowStore(store, for: .select).select(
      requiredName(selector, "selector"),
      arguments.map { arguments throws(EngineError) in try requiredValue(arguments, "arguments") }
        ?? [:])
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
  _ out: UnsafeMutablePointer<UnsafeMutablePointer<json_t>?>?,
  _ error: UnsafeMutablePointer<imd_error>?, _ body: () throws(EngineError) -> Value
) -> imd_status {
  out?.pointee = nil
  return attempt(error) { () throws(EngineError) in
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
