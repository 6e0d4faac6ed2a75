import CImmutableData
import ImmutableJSON
import StateEngine

@_cdecl("imd_value_set") @implementation
public func imd_value_set(
  _ value: OpaquePointer?, _ pointer: UnsafePointer<CChar>?, _ element: OpaquePointer?,
  _ out: Out<OpaquePointer?>, _ error: Out<imd_error>
) -> imd_status {
  set(value, pointer, out, error) { try ValueHandle.borrow(element, "element") }
}

@_cdecl("imd_value_set_bool") @implementation
public func imd_value_set_bool(
  _ value: OpaquePointer?, _ pointer: UnsafePointer<CChar>?, _ boolean: CInt,
  _ out: Out<OpaquePointer?>, _ error: Out<imd_error>
) -> imd_status {
  set(value, pointer, out, error) { .bool(boolean != 0) }
}

@_cdecl("imd_value_set_integer") @implementation
public func imd_value_set_integer(
  _ value: OpaquePointer?, _ pointer: UnsafePointer<CChar>?, _ integer: Int64,
  _ out: Out<OpaquePointer?>, _ error: Out<imd_error>
) -> imd_status {
  set(value, pointer, out, error) { .integer(integer) }
}

@_cdecl("imd_value_set_real") @implementation
public func imd_value_set_real(
  _ value: OpaquePointer?, _ pointer: UnsafePointer<CChar>?, _ real: Double,
  _ out: Out<OpaquePointer?>, _ error: Out<imd_error>
) -> imd_status {
  set(value, pointer, out, error) { try Value(real: real) }
}

@_cdecl("imd_value_set_string") @implementation
public func imd_value_set_string(
  _ value: OpaquePointer?, _ pointer: UnsafePointer<CChar>?, _ text: UnsafePointer<CChar>?,
  _ length: Int, _ out: Out<OpaquePointer?>, _ error: Out<imd_error>
) -> imd_status {
  set(value, pointer, out, error) { try Value(string: text, length) }
}

@_cdecl("imd_value_insert") @implementation
public func imd_value_insert(
  _ value: OpaquePointer?, _ pointer: UnsafePointer<CChar>?, _ element: OpaquePointer?,
  _ out: Out<OpaquePointer?>, _ error: Out<imd_error>
) -> imd_status {
  returnOwned(out, error) {
    let value = try ValueHandle.borrow(value, "value")
    let element = try ValueHandle.borrow(element, "element")
    return try fastPathBytes(of: pointer).flatMap { value.fastPathInserting($0, element) }
      ?? value.inserting(jsonPointer(pointer), element)
  }
}

@_cdecl("imd_value_remove") @implementation
public func imd_value_remove(
  _ value: OpaquePointer?, _ pointer: UnsafePointer<CChar>?, _ out: Out<OpaquePointer?>,
  _ error: Out<imd_error>
) -> imd_status {
  returnOwned(out, error) {
    let value = try ValueHandle.borrow(value, "value")
    return try fastPathBytes(of: pointer).flatMap { value.fastPathRemoving($0) }
      ?? value.removing(jsonPointer(pointer))
  }
}

@_cdecl("imd_value_slice") @implementation
public func imd_value_slice(
  _ array: OpaquePointer?, _ start: Int, _ end: Int, _ out: Out<OpaquePointer?>,
  _ error: Out<imd_error>
) -> imd_status {
  returnOwned(out, error) {
    guard case .array(let elements) = try ValueHandle.borrow(array, "array") else {
      throw EngineError(.invalidArgument, "only an array has slices")
    }
    // A size_t beyond the range of Int is negative here.
    let end = (0...elements.count).contains(end) ? end : elements.count
    let start = (0...end).contains(start) ? start : end
    return .array(elements.slice(start..<end))
  }
}

@_cdecl("imd_value_diff") @implementation
public func imd_value_diff(
  _ from: OpaquePointer?, _ to: OpaquePointer?, _ out: Out<OpaquePointer?>, _ error: Out<imd_error>
) -> imd_status {
  returnOwned(out, error) {
    try ValueHandle.borrow(from, "from").diff(to: ValueHandle.borrow(to, "to"))
  }
}

@_cdecl("imd_value_patch") @implementation
public func imd_value_patch(
  _ value: OpaquePointer?, _ patch: OpaquePointer?, _ out: Out<OpaquePointer?>,
  _ error: Out<imd_error>
) -> imd_status {
  returnOwned(out, error) {
    try ValueHandle.borrow(value, "value").applying(patch: ValueHandle.borrow(patch, "patch"))
  }
}

@_cdecl("imd_value_merge") @implementation
public func imd_value_merge(
  _ value: OpaquePointer?, _ patch: OpaquePointer?, _ out: Out<OpaquePointer?>,
  _ error: Out<imd_error>
) -> imd_status {
  returnOwned(out, error) {
    try ValueHandle.borrow(value, "value").merging(patch: ValueHandle.borrow(patch, "patch"))
  }
}

/// Returns a value with one element replaced, owned by the caller.
private func set(
  _ value: OpaquePointer?, _ pointer: UnsafePointer<CChar>?, _ out: Out<OpaquePointer?>,
  _ error: Out<imd_error>, _ element: () throws -> Value
) -> imd_status {
  out?.pointee = nil
  return attempt(error) {
    _ = try required(value, "value")
    let element = try element()
    let bytes = fastPathBytes(of: pointer)
    if let out, let bytes, let edited = ValueHandle.replace(bytes, by: element, in: value) {
      return out.pointee = edited
    }
    let value = try ValueHandle.borrow(value, "value")
    let next =
      try bytes.flatMap { value.fastPathSetting($0, element) }
      ?? value.setting(jsonPointer(pointer), element)
    try required(out, "out").pointee = ValueHandle.create(next)
  }
}
