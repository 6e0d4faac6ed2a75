import ImmutableData
import StateEngine

/// The stores that are open, by what their `imd_store *` is: a number, never an address.
///
/// A handle that was closed, or never was one, is not found and answers `IMD_CLOSED`; as no number
/// is given twice, it never reaches another store. And a call holds the store that it works with,
/// whoever closes the handle meanwhile.
enum StoreHandle {
  private struct Open {
    var lastNumber: UInt = 0
    var stores: [UInt: AnyStore] = [:]
  }

  private static let open = Mutex(Open())

  /// A handle for a store, owned by the caller until ``close(_:)``.
  static func create(_ store: AnyStore) -> OpaquePointer? {
    self.open.withLock { open in
      open.lastNumber += 1
      open.stores[open.lastNumber] = store
      return OpaquePointer(bitPattern: open.lastNumber)
    }
  }

  /// The store of a handle.
  static func borrow(_ handle: OpaquePointer?) throws(EngineError) -> AnyStore {
    let number = UInt(bitPattern: try required(handle, "store"))
    guard let store = self.open.withLock({ $0.stores[number] }) else {
      throw EngineError(.closed, "the store was closed; open another one")
    }
    return store
  }

  /// Forgets a handle. The store goes outside the lock, with the last call that holds it.
  static func close(_ handle: OpaquePointer?) {
    let closed = self.open.withLock { $0.stores.removeValue(forKey: UInt(bitPattern: handle)) }
    withExtendedLifetime(closed) {}
  }
}
