import CImmutableData
import StateEngine

@_cdecl("imd_store_run") @implementation
public func imd_store_run(
  _ store: OpaquePointer?, _ thunk: imd_thunk?, _ context: UnsafeMutableRawPointer?,
  _ error: UnsafeMutablePointer<imd_error>?
) -> imd_status {
  let refusal = attempt(error) { () throws(EngineError) in
    _ = try openStore(store, for: .use)
    _ = try required(thunk, "thunk")
  }
  guard let thunk, refusal == IMD_OK else { return refusal }
  var own = imd_error()
  let status = withUnsafeMutablePointer(to: &own) { thunk(context, store, error ?? $0) }
  if status == IMD_OK {
    error?.pointee.clear()
  } else {
    error?.pointee.status = status
  }
  return status
}
