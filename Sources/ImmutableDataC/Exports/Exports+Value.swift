import CImmutableData
import ImmutableJSON
import StateEngine

@_cdecl("imd_value_parse") @implementation
public func imd_value_parse(
  _ json: UnsafePointer<CChar>?, _ length: Int, _ out: Out<OpaquePointer?>, _ error: Out<imd_error>
) -> imd_status {
  returnOwned(out, error) {
    try Value(reading: requiredJSON(json, length, .value, named: "text"), .value)
  }
}

@_cdecl("imd_value_from_bool") @implementation
public func imd_value_from_bool(
  _ boolean: CInt, _ out: Out<OpaquePointer?>, _ error: Out<imd_error>
) -> imd_status {
  returnOwned(out, error) { .bool(boolean != 0) }
}

@_cdecl("imd_value_from_integer") @implementation
public func imd_value_from_integer(
  _ integer: Int64, _ out: Out<OpaquePointer?>, _ error: Out<imd_error>
) -> imd_status {
  returnOwned(out, error) { .integer(integer) }
}

@_cdecl("imd_value_from_real") @implementation
public func imd_value_from_real(
  _ real: Double, _ out: Out<OpaquePointer?>, _ error: Out<imd_error>
) -> imd_status {
  returnOwned(out, error) { try Value(real: real) }
}

@_cdecl("imd_value_from_string") @implementation
public func imd_value_from_string(
  _ text: UnsafePointer<CChar>?, _ length: Int, _ out: Out<OpaquePointer?>, _ error: Out<imd_error>
) -> imd_status {
  returnOwned(out, error) { try Value(string: text, length) }
}

@_cdecl("imd_value_retain") @implementation
public func imd_value_retain(_ value: OpaquePointer?) -> OpaquePointer? {
  ValueHandle.retain(value)
}

@_cdecl("imd_value_release") @implementation
public func imd_value_release(_ value: OpaquePointer?) {
  ValueHandle.release(value)
}

@_cdecl("imd_value_kind") @implementation
public func imd_value_kind(_ value: OpaquePointer?) -> imd_kind {
  ValueHandle.borrow(value)?.kind ?? IMD_NULL
}

@_cdecl("imd_value_count") @implementation
public func imd_value_count(_ value: OpaquePointer?) -> Int {
  switch ValueHandle.borrow(value) {
  case .array(let array): array.count
  case .object(let object): object.count
  default: 0
  }
}

@_cdecl("imd_value_equal") @implementation
public func imd_value_equal(_ left: OpaquePointer?, _ right: OpaquePointer?) -> CInt {
  ValueHandle.borrow(left) == ValueHandle.borrow(right) ? 1 : 0
}

@_cdecl("imd_value_identical") @implementation
public func imd_value_identical(_ left: OpaquePointer?, _ right: OpaquePointer?) -> CInt {
  guard let left = ValueHandle.borrow(left), let right = ValueHandle.borrow(right) else {
    return left == right ? 1 : 0
  }
  return left.isIdentical(to: right) ? 1 : 0
}

@_cdecl("imd_value_text") @implementation
public func imd_value_text(
  _ value: OpaquePointer?, _ out: Out<UnsafeMutablePointer<CChar>?>, _ outLength: Out<Int>,
  _ error: Out<imd_error>
) -> imd_status {
  returnOwned(out, outLength, error) { try Text.make(json: ValueHandle.borrow(value, "value")) }
}
