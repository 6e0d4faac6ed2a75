import CImmutableData
import ImmutableJSON
import StateEngine

@_cdecl("imd_value_object") @implementation
public func imd_value_object(
  _ members: UnsafePointer<imd_member>?, _ count: Int, _ out: Out<OpaquePointer?>,
  _ error: Out<imd_error>
) -> imd_status {
  returnOwned(out, error) { try Value(members: members, count) }
}

@_cdecl("imd_value_array") @implementation
public func imd_value_array(
  _ elements: UnsafePointer<imd_member>?, _ count: Int, _ out: Out<OpaquePointer?>,
  _ error: Out<imd_error>
) -> imd_status {
  returnOwned(out, error) { try Value(elements: elements, count) }
}

@_cdecl("imd_store_dispatch_object") @implementation
public func imd_store_dispatch_object(
  _ store: OpaquePointer?, _ members: UnsafePointer<imd_member>?, _ count: Int,
  _ error: Out<imd_error>
) -> imd_status {
  attempt(error) {
    try stores.enter(store, .dispatch) { store, scope in
      try store.dispatch(Value(members: members, count), in: scope)
    }
  }
}
