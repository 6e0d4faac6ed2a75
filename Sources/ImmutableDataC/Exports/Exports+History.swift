import CImmutableData
import ImmutableJSON
import StateEngine

@_cdecl("imd_store_undo") @implementation
public func imd_store_undo(
  _ store: OpaquePointer?, _ steps: Int, _ taken: Out<Int>, _ error: Out<imd_error>
) -> imd_status {
  returnCount(taken, error) { try stores.borrow(store).undo(count(steps)) }
}

@_cdecl("imd_store_redo") @implementation
public func imd_store_redo(
  _ store: OpaquePointer?, _ steps: Int, _ taken: Out<Int>, _ error: Out<imd_error>
) -> imd_status {
  returnCount(taken, error) { try stores.borrow(store).redo(count(steps)) }
}

/// A `size_t`, which is imported as `Int`. One that is larger is more than there can be.
private func count(_ size: Int) -> Int {
  size < 0 ? .max : size
}

@_cdecl("imd_store_travel") @implementation
public func imd_store_travel(
  _ store: OpaquePointer?, _ number: Int, _ error: Out<imd_error>
) -> imd_status {
  attempt(error) { try stores.borrow(store).travel(to: count(number)) }
}

@_cdecl("imd_store_begin_group") @implementation
public func imd_store_begin_group(_ store: OpaquePointer?, _ error: Out<imd_error>) -> imd_status {
  attempt(error) { try stores.borrow(store).beginGroup() }
}

@_cdecl("imd_store_end_group") @implementation
public func imd_store_end_group(_ store: OpaquePointer?, _ error: Out<imd_error>) -> imd_status {
  attempt(error) { try stores.borrow(store).endGroup() }
}

@_cdecl("imd_store_cancel_group") @implementation
public func imd_store_cancel_group(_ store: OpaquePointer?, _ error: Out<imd_error>) -> imd_status {
  attempt(error) { try stores.borrow(store).cancelGroup() }
}

@_cdecl("imd_store_mark_clean") @implementation
public func imd_store_mark_clean(_ store: OpaquePointer?, _ error: Out<imd_error>) -> imd_status {
  attempt(error) { try stores.borrow(store).markClean() }
}

@_cdecl("imd_store_history") @implementation
public func imd_store_history(
  _ store: OpaquePointer?, _ options: UnsafePointer<CChar>?, _ length: Int,
  _ out: Out<UnsafeMutablePointer<CChar>?>, _ outLength: Out<Int>, _ error: Out<imd_error>
) -> imd_status {
  returnOwned(out, outLength, error) {
    let store = try stores.enter(store, .select).store
    return Text.make(json: try store.history(optionalValue(options, length, .options) ?? [:]))
  }
}

@_cdecl("imd_store_blame") @implementation
public func imd_store_blame(
  _ store: OpaquePointer?, _ pointer: UnsafePointer<CChar>?, _ options: UnsafePointer<CChar>?,
  _ length: Int, _ out: Out<UnsafeMutablePointer<CChar>?>, _ outLength: Out<Int>,
  _ error: Out<imd_error>
) -> imd_status {
  returnOwned(out, outLength, error) { Text.make(json: try blame(store, pointer, options, length)) }
}

@_cdecl("imd_store_blame_value") @implementation
public func imd_store_blame_value(
  _ store: OpaquePointer?, _ pointer: UnsafePointer<CChar>?, _ options: UnsafePointer<CChar>?,
  _ length: Int, _ out: Out<OpaquePointer?>, _ error: Out<imd_error>
) -> imd_status {
  returnOwned(out, error) { try blame(store, pointer, options, length) }
}

private func blame(
  _ store: OpaquePointer?, _ pointer: UnsafePointer<CChar>?, _ options: UnsafePointer<CChar>?,
  _ length: Int
) throws -> Value {
  let store = try stores.enter(store, .select).store
  let options = try optionalValue(options, length, .options)
  return try store.blame(jsonPointer(pointer), options ?? [:])
}
