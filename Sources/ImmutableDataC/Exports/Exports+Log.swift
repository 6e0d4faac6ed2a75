import CImmutableData
import StateEngine

@_cdecl("imd_store_sync") @implementation
public func imd_store_sync(
  _ store: OpaquePointer?, _ timeout_ms: CInt, _ error: UnsafeMutablePointer<imd_error>?
) -> imd_status {
  attempt(error) { () throws(EngineError) in
    try stores.borrow(store).sync(milliseconds: timeout_ms)
  }
}

@_cdecl("imd_store_refresh") @implementation
public func imd_store_refresh(
  _ store: OpaquePointer?, _ error: UnsafeMutablePointer<imd_error>?
) -> imd_status {
  attempt(error) { () throws(EngineError) in
    try stores.borrow(store).refresh()
  }
}
