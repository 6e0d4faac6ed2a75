import CImmutableData
import ImmutableJSON
import StateEngine

@_cdecl("imd_value_set") @implementation
public func imd_value_set(
  _ value: OpaquePointer?, _ pointer: UnsafePointer<CChar>?, _ element: OpaquePointer?,
  _ out: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<imd_error>?
) -> imd_status {
  set(value, pointer, out, error) { () throws(EngineError) in
    try ValueHandle.borrow(element, "element")
  }
}

@_cdecl("imd_value_set_bool") @implementation
public func imd_value_set_bool(
  _ value: OpaquePointer?, _ pointer: UnsafePointer<CChar>?, _ boolean: CInt,
  _ out: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<imd_error>?
) -> imd_status {
  set(value, pointer, out, error) { .bool(boolean != 0) }
}

@_cdecl("imd_value_set_integer") @implementation
public func imd_value_set_integer(
  _ value: OpaquePointer?, _ pointer: UnsafePointer<CChar>?, _ integer: Int64,
  _ out: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<imd_error>?
) -> imd_status {
  set(value, pointer, out, error) { .integer(integer) }
}

@_cdecl("imd_value_set_real") @implementation
public func imd_value_set_real(
  _ value: OpaquePointer?, _ pointer: UnsafePointer<CChar>?, _ real: Double,
  _ out: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<imd_error>?
) -> imd_status {
  set(value, pointer, out, error) { () throws(EngineError) in
    try Value(real: real)
  }
}

@_cdecl("imd_value_set_string") @implementation
public func imd_value_set_string(
  _ value: OpaquePointer?, _ pointer: UnsafePointer<CChar>?,
  _ text: UnsafePointer<CChar>?, _ length: Int,
  _ out: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<imd_error>?
) -> imd_status {
  set(value, pointer, out, error) { () throws(EngineError) in
    try Value(string: text, length)
  }
}

@_cdecl("imd_value_insert") @implementation
public func imd_value_insert(
  _ value: OpaquePointer?, _ pointer: UnsafePointer<CChar>?, _ element: OpaquePointer?,
  _ out: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<imd_error>?
) -> imd_status {
  change(value, out, error) { value throws in
    let element = try ValueHandle.borrow(element, "element")
    return try fastPathBytes(of: pointer).flatMap { value.fastPathInserting($0, element) }
      ?? value.inserting(jsonPointer(pointer), element)
  }
}

@_cdecl("imd_value_remove") @implementation
public func imd_value_remove(
  _ value: OpaquePointer?, _ pointer: UnsafePointer<CChar>?,
  _ out: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<imd_error>?
) -> imd_status {
  change(value, out, error) { value throws in
    try fastPathBytes(of: pointer).flatMap { value.fastPathRemoving($0) }
      ?? value.removing(jsonPointer(pointer))
  }
}

@_cdecl("imd_value_slice") @implementation
public func imd_value_slice(
  _ array: OpaquePointer?, _ start: Int, _ end: Int,
  _ out: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<imd_error>?
) -> imd_status {
  returnOwned(out, error) { () throws(EngineError) in
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
  _ from: OpaquePointer?, _ to: OpaquePointer?,
  _ out: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<imd_error>?
) -> imd_status {
  returnOwned(out, error) { () throws(EngineError) in
    let (from, to) = (try ValueHandle.borrow(from, "from"), try ValueHandle.borrow(to, "to"))
    do {
      return try from.diff(to: to)
    } catch {
      throw EngineError(ofValue: error)
    }
  }
}

@_cdecl("imd_value_patch") @implementation
public func imd_value_patch(
  _ value: OpaquePointer?, _ patch: OpaquePointer?,
  _ out: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<imd_error>?
) -> imd_status {
  change(value, out, error) { value throws in
    try value.applying(patch: ValueHandle.borrow(patch, "patch"))
  }
}

@_cdecl("imd_value_merge") @implementation
public func imd_value_merge(
  _ value: OpaquePointer?, _ patch: OpaquePointer?,
  _ out: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<imd_error>?
) -> imd_status {
  change(value, out, error) { value throws in
    try value.merging(patch: ValueHandle.borrow(patch, "patch"))
  }
}

/// Returns a value with one element replaced, owned by the caller.
private func set(
  _ value: OpaquePointer?, _ pointer: UnsafePointer<CChar>?,
  _ out: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<imd_error>?, _ element: () throws(EngineError) -> Value
) -> imd_status {
  out?.pointee = nil
  return attempt(error) { () throws(EngineError) in
    _ = try required(value, "value")
    let element = try element()
    let bytes = fastPathBytes(of: pointer)
    if let out, let bytes, let edited = ValueHandle.replace(bytes, by: element, in: value) {
      return out.pointee = edited
    }
    let value = try ValueHandle.borrow(value, "value")
    do {
      let next =
        try bytes.flatMap { value.fastPathSetting($0, element) }
        ?? value.setting(jsonPointer(pointer), element)
      try required(out, "out").pointee = ValueHandle.create(next)
    } catch {
      throw EngineError(ofValue: error)
    }
  }
}

/// Returns the result of `body` for a value, owned by the caller.
private func change(
  _ value: OpaquePointer?, _ out: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<imd_error>?, _ body: (Value) throws -> Value
) -> imd_status {
  returnOwned(out, error) { () throws(EngineError) in
    let value = try ValueHandle.borrow(value, "value")
    do {
      return try body(value)
    } catch {
      throw EngineError(ofValue: error)
    }
  }
}
