import CJanssonFunctions
internal import CSpinLock
import ImmutableData
import StateEngine
import struct Synchronization.Atomic
import Threading

// The objects behind the handles of the ABI, except values and cursors.
let stores = HandleTable<AnyStore>(kind: 0, "store")
let observations = HandleTable<StoreObservation>(kind: 1, "observation")
let streams = HandleTable<ActionStream>(kind: 2, "stream")
let requests = HandleTable<FetchTask>(kind: 3, "request")
let effects = HandleTable<EffectTask>(kind: 4, "effect")

/// The open objects of one kind by handle. A handle is a number, not an address.
///
/// A closed handle yields `IMD_CLOSED`. Numbers are never reused, so a closed handle cannot reach
/// another object. A pointer that was never a handle of this kind yields `IMD_INVALID_ARGUMENT`; it
/// is not dereferenced. A call retains its object, even if another thread closes the handle
/// meanwhile.
///
/// In the child of a fork all inherited handles are closed: the threads that used the objects do
/// not exist there, and may have left locks locked.
///
/// The handles are spread over several parts of the table. One of the locks of `CSpinLock` guards
/// each part, so that threads with objects of their own do not wait for each other.
final class HandleTable<Object: AnyObject & Sendable>: @unchecked Sendable {
  private struct Part {
    private var objects: [UInt: Object] = [:]

    /// The object that was found last, with its number. Most programs use few stores.
    private var recent: (number: UInt, object: Object)?

    mutating func insert(_ object: Object, _ number: UInt) {
      self.objects[number] = object
    }

    mutating func find(_ number: UInt) -> Object? {
      if let recent, recent.number == number { return recent.object }
      guard let object = self.objects[number] else { return nil }
      self.recent = (number, object)
      return object
    }

    mutating func remove(_ number: UInt) -> Object? {
      if self.recent?.number == number { self.recent = nil }
      return self.objects.removeValue(forKey: number)
    }
  }

  private let kind: UInt
  private let name: String
  private let parts: UnsafeMutablePointer<Part>

  private let lastNumber: Atomic<UInt>

  /// The last number that was used before this process was forked.
  private let lastInherited = Atomic<UInt>(0)

  /// - Parameter kind: A number below ``kinds``, different for each table.
  init(kind: UInt, _ name: String) {
    self.kind = kind
    self.name = name
    self.parts = .allocate(capacity: Int(Self.partCount))
    self.parts.initialize(repeating: Part(), count: Int(Self.partCount))
    self.lastNumber = Atomic(kind)
  }
}

extension HandleTable {
  fileprivate static var kinds: UInt { 5 }
  fileprivate static var partCount: UInt { 16 }

  @inline(__always)
  private func withPart<Result>(of number: UInt, _ body: (inout Part) -> Result) -> Result {
    let index = UInt8(truncatingIfNeeded: number / Self.kinds % Self.partCount)
    spinlock_lock(index)
    defer { spinlock_unlock(index) }
    return body(&self.parts[Int(index)])
  }

  /// Creates a handle, owned by the caller until it is closed.
  func create(_ object: Object) -> OpaquePointer? {
    _ = isWatchingForks
    let number = self.lastNumber.add(Self.kinds, ordering: .relaxed).newValue
    self.withPart(of: number) { $0.insert(object, number) }
    return OpaquePointer(bitPattern: number)
  }

  /// Returns the object of a handle.
  func borrow(_ handle: OpaquePointer?) throws(EngineError) -> Object {
    if let object = self.find(handle) { return object }
    try self.refuse(handle)
  }

  // Apart, so that the path above is inlined.
  private func refuse(_ handle: OpaquePointer?) throws(EngineError) -> Never {
    try self.requireCreated(handle)
    let isInherited = UInt(bitPattern: handle) <= self.lastInherited.load(ordering: .relaxed)
    throw EngineError(
      .closed,
      isInherited
        ? "the \(self.name) belongs to the process that this one was forked from; "
          + "open one in this process"
        : "the \(self.name) was closed; open another one")
  }

  /// Throws an error for a pointer that was never a handle of this kind.
  func requireCreated(_ handle: OpaquePointer?) throws(EngineError) {
    let number = UInt(bitPattern: try required(handle, self.name))
    let last = self.lastNumber.load(ordering: .relaxed)
    guard number % Self.kinds == self.kind, number >= Self.kinds, number <= last else {
      throw EngineError(
        .invalidArgument,
        "\(self.name) was never a valid imd_\(self.name) *; pass one that this library "
          + "returned")
    }
  }

  /// Returns the object of a handle, if the handle is open.
  func find(_ handle: OpaquePointer?) -> Object? {
    let number = UInt(bitPattern: handle)
    return self.withPart(of: number) { $0.find(number) }
  }

  /// Closes a handle.
  ///
  /// - Returns: Its object.
  func remove(_ handle: OpaquePointer?) -> Object? {
    let number = UInt(bitPattern: handle)
    return self.withPart(of: number) { $0.remove(number) }
  }

  /// Closes all handles in the child of a fork. Leaks what it had, which may be in use.
  fileprivate func reinitializeAfterFork() {
    self.parts.initialize(repeating: Part(), count: Int(Self.partCount))
    self.lastInherited.store(self.lastNumber.load(ordering: .relaxed), ordering: .relaxed)
  }
}

extension HandleTable<AnyStore> {
  /// Begins a call of a store, before its parameters are read: a reducer that uses its store gets
  /// the error for that, whatever else is wrong with the call.
  ///
  /// A call without parameters that could be wrong needs only ``borrow(_:)``: the functions of
  /// ``AnyStore`` begin with this check, except those that take the scope.
  func enter(
    _ handle: OpaquePointer?, _ operation: ReentrancyError.Operation
  ) throws(EngineError) -> (store: AnyStore, scope: CallScope) {
    let store = try self.borrow(handle)
    return (store, try store.enter(operation))
  }
}

extension HandleTable where Object: ProgramTask {
  /// Creates a handle, which is closed when the task ends.
  func create(untilEndOf task: Object) -> OpaquePointer? {
    let handle = self.create(task)
    let number = UInt(bitPattern: handle)
    task.onEnd { _ = self.remove(OpaquePointer(bitPattern: number)) }
    return handle
  }

  /// Returns the task of a handle that the program ends.
  func borrowTask(_ handle: OpaquePointer?) throws(EngineError) -> Object {
    if let task = self.find(handle) { return task }
    try self.requireCreated(handle)
    throw Object.ended
  }
}

/// Registers the tables to be emptied in the child of a fork. Initialized with the first handle.
private let isWatchingForks: Bool = {
  // Initialize here what the child uses. If another thread were doing so during the fork, the child
  // would wait forever.
  let reinitializers = [
    stores.reinitializeAfterFork, observations.reinitializeAfterFork, streams.reinitializeAfterFork,
    requests.reinitializeAfterFork, effects.reinitializeAfterFork,
  ]
  _ = domains
  jansson_functions().pointee.json_object_seed(0)
  ForkHandlers.addForChild {
    for reinitialize in reinitializers { reinitialize() }
  }
  return true
}()
