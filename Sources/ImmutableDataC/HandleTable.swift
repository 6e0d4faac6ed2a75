import CJansson
import ImmutableData
import StateEngine
import Threading

// What the handles of the ABI stand for, save values.
let stores = HandleTable<AnyStore>(kind: 0, "store")
let observations = HandleTable<Observation>(kind: 1, "observation")
let streams = HandleTable<ActionStream>(kind: 2, "stream")
let requests = HandleTable<FetchCall>(kind: 3, "request")

/// The store of a handle, for what a reducer must not do.
///
/// This is the first check of a call: a reducer that uses its store made a mistake, whatever it
/// passes.
func openStore(
  _ handle: OpaquePointer?, for operation: ReentrancyError.Operation
) throws(EngineError) -> AnyStore {
  let store = try stores.borrow(handle)
  try store.refuseReentrancy(operation)
  return store
}

/// The objects of one kind that are open, by what their handle is: a number, never an address.
///
/// A handle that was closed, or never was one, or is of another kind, is not found and answers
/// `IMD_CLOSED`; as no number is given twice, it never reaches another object. And a call holds the
/// object that it works with, whoever closes the handle meanwhile.
///
/// In the child of a fork nothing is open, whatever was before: the threads that worked with it are
/// not there, and may have taken locks for good.
final class HandleTable<Object: AnyObject & Sendable>: Sendable {
  private struct Open {
    var lastNumber: UInt
    var objects: [UInt: Object] = [:]

    /// The last number that was given before this process came of a fork.
    var lastInherited: UInt = 0
  }

  private let name: String
  private let open: Mutex<Open>

  /// - Parameter kind: A number below ``kinds``, by which handles of different kinds differ.
  init(kind: UInt, _ name: String) {
    self.name = name
    self.open = Mutex(Open(lastNumber: kind))
  }
}

extension HandleTable {
  private static var kinds: UInt { 4 }

  /// A handle for an object, owned by the caller until it is closed.
  func create(_ object: Object) -> OpaquePointer? {
    _ = isWatchingForks
    return self.open.withLock { open in
      open.lastNumber += Self.kinds
      open.objects[open.lastNumber] = object
      return OpaquePointer(bitPattern: open.lastNumber)
    }
  }

  /// The object of a handle.
  func borrow(_ handle: OpaquePointer?) throws(EngineError) -> Object {
    let number = UInt(bitPattern: try required(handle, self.name))
    guard let object = self.find(handle) else {
      let isInherited = self.open.withLock { number <= $0.lastInherited }
      throw EngineError(
        .closed,
        isInherited
          ? "the \(self.name) belongs to the process that this one was forked from; "
            + "open one in this process"
          : "the \(self.name) was closed; open another one")
    }
    return object
  }

  /// The object of a handle, if it is open.
  func find(_ handle: OpaquePointer?) -> Object? {
    self.open.withLock { $0.objects[UInt(bitPattern: handle)] }
  }

  /// Forgets a handle.
  ///
  /// - Returns: Its object, which goes with the last call that holds it.
  func remove(_ handle: OpaquePointer?) -> Object? {
    self.open.withLock { $0.objects.removeValue(forKey: UInt(bitPattern: handle)) }
  }

  /// Has the child of a fork begin with nothing open.
  fileprivate func reinitializeAfterFork() {
    self.open.reinitializeAfterFork { open in
      Open(lastNumber: open.lastNumber, lastInherited: open.lastNumber)
    }
  }
}

/// Whether the tables are emptied in the child of a fork: from the first handle on.
private let isWatchingForks: Bool = {
  // What the child uses is initialized here. If another thread did it while the process is forked,
  // the child would wait forever for it to finish.
  let empty = [
    stores.reinitializeAfterFork, observations.reinitializeAfterFork, streams.reinitializeAfterFork,
    requests.reinitializeAfterFork,
  ]
  _ = domains
  json_object_seed(0)
  ForkHandlers.addForChild {
    for begin in empty { begin() }
  }
  return true
}()
