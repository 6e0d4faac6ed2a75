import CImmutableData
import ImmutableJSON
import StateEngine

@_cdecl("imd_store_undo") @implementation
public func imd_store_undo(
  _ store: OpaquePointer?, _ steps: Int, _ taken: UnsafeMutablePointer<Int>?,
  _ error: UnsafeMutablePointer<imd_error>?
) -> imd_status {
  taken?.pointee = 0
  return attempt(error) { () throws(EngineError) in
    let count = try stores.borrow(store).undo(count(steps))
    taken?.pointee = count
  }
}

@_cdecl("imd_store_redo") @implementation
public func imd_store_redo(
  _ store: OpaquePointer?, _ steps: Int, _ taken: UnsafeMutablePointer<Int>?,
  _ error: UnsafeMutablePointer<imd_error>?
) -> imd_status {
  taken?.pointee = 0
  return attempt(error) { () throws(EngineError) in
    let count = try stores.borrow(store).redo(count(steps))
    taken?.pointee = count
  }
}

/// A `size_t`, which is imported as `Int`. One that is larger is more than there can be.
private func count(_ size: Int) -> Int {
  size < 0 ? .max : size
}

@_cdecl("imd_store_travel") @implementation
public func imd_store_travel(
  _ store: OpaquePointer?, _ number: Int, _ error: UnsafeMutablePointer<imd_error>?
) -> imd_status {
  attempt(error) { () throws(EngineError) in
    try stores.borrow(store).travel(to: count(number))
  }
}

@_cdecl("imd_store_begin_group") @implementation
public func imd_store_begin_group(
  _ store: OpaquePointer?, _ error: UnsafeMutablePointer<imd_error>?
) -> imd_status {
  attempt(error) { () throws(EngineError) in
    try stores.borrow(store).beginGroup()
  }
}

@_cdecl("imd_store_end_group") @implementation
public func imd_store_end_group(
  _ store: OpaquePointer?, _ error: UnsafeMutablePointer<imd_error>?
) -> imd_status {
  attempt(error) { () throws(EngineError) in
    try stores.borrow(store).endGroup()
  }
}

@_cdecl("imd_store_cancel_group") @implementation
public func imd_store_cancel_group(
  _ store: OpaquePointer?, _ error: UnsafeMutablePointer<imd_error>?
) -> imd_status {
  attempt(error) { () throws(EngineError) in
    try stores.borrow(store).cancelGroup()
  }
}

@_cdecl("imd_store_mark_clean") @implementation
public func imd_store_mark_clean(
  _ store: OpaquePointer?, _ error: UnsafeMutablePointer<imd_error>?
) -> imd_status {
  attempt(error) { () throws(EngineError) in
    try stores.borrow(store).markClean()
  }
}

@_cdecl("imd_store_history") @implementation
public func imd_store_history(
  _ store: OpaquePointer?,
  _ options: UnsafePointer<CChar>?, _ length: Int,
  _ out: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
  _ outLength: UnsafeMutablePointer<Int>?,
  _ error: UnsafeMutablePointer<imd_error>?
) -> imd_status {
  returnOwned(out, outLength, error) { () throws(EngineError) in
    let options = try optionalValue(options, length, .options)
    return Text.make(json: try stores.borrow(store).history(options ?? [:]))
  }
}

@_cdecl("imd_store_blame") @implementation
public func imd_store_blame(
  _ store: OpaquePointer?, _ pointer: UnsafePointer<CChar>?,
  _ options: UnsafePointer<CChar>?, _ length: Int,
  _ out: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
  _ outLength: UnsafeMutablePointer<Int>?,
  _ error: UnsafeMutablePointer<imd_error>?
) -> imd_status {
  returnOwned(out, outLength, error) { () throws(EngineError) in
    let options = try optionalValue(options, length, .options)
    return Text.make(json: try stores.borrow(store).blame(jsonPointer(pointer), options ?? [:]))
  }
}

@_cdecl("imd_store_blame_value") @implementation
public func imd_store_blame_value(
  _ store: OpaquePointer?, _ pointer: UnsafePointer<CChar>?,
  _ options: UnsafePointer<CChar>?, _ length: Int,
  _ out: UnsafeMutablePointer<OpaquePointer?>?,
  _ error: UnsafeMutablePointer<imd_error>?
) -> imd_status {
  returnOwned(out, error) { () throws(EngineError) in
    let options = try optionalValue(options, length, .options)
    return try stores.borrow(store).blame(jsonPointer(pointer), options ?? [:])
  }
}
