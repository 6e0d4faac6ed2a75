import StateEngine

extension AnyStore {
  /// Creates a handle of this store for C code of the same program: an `imd_store *`.
  ///
  /// The handle retains this store. `imd_store_close` closes both. In the child of a fork, the
  /// handle is closed.
  ///
  /// - Returns: Never `nil`: the type is the one of a C pointer.
  public func makeHandle() -> OpaquePointer? {
    stores.create(self)
  }
}
