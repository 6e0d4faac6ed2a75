import CJanssonFunctions
internal import CSpinLock
import ImmutableData
import StateEngine
import struct Synchronization.Atomic
import Threading

// The objects behind the handles of the ABI, except values and cursors.
let stores = HandleTable<AnyStore>(kind: 0, "store", isShared: true)
let observations = HandleTable<StoreObservation>(kind: 1, "observation")
let streams = HandleTable<ActionStream>(kind: 2, "stream")
let requests = HandleTable<FetchTask>(kind: 3, "request")
let effects = HandleTable<EffectTask>(kind: 4, "effect")
let logCalls = HandleTable<CLogCall>(kind: 5, "log_call")
let logWatches = HandleTable<CLogWatch>(kind: 6, "log_watch")

/// The open objects of one kind by handle. A handle is a number, not an address.
///
/// A closed handle yields `IMD_CLOSED`. Numbers are never reused, so a closed handle cannot reach
/// another object. A pointer that was never a handle of this kind yields `IMD_INVALID_ARGUMENT`; it
/// is not dereferenced. An object stays alive during a call, even if another thread closes the
/// handle meanwhile.
///
/// A number has the place of the object in the table, and how often an object was put there:
///
/// ```
///   (opening << 32 | place) * kinds + kind
/// ```
///
/// In the child of a fork all inherited handles are closed: the threads that used the objects do
/// not exist there, and may have left locks locked.
final class HandleTable<Object: AnyObject & Sendable>: @unchecked Sendable {
  /// A place for one object at a time. It is never freed, so that a thread can look whether an
  /// object is there without a lock.
  private struct Place: ~Copyable {
    /// The number of openings and closings: odd while there is an open object.
    let changes = Atomic<UInt>(0)

    /// The calls that use the object.
    let uses: UseCount

    // Changed with the lock held:

    /// The object, retained. A closed one stays here until no call uses it.
    let object = Atomic<UnsafeMutableRawPointer?>(nil)

    /// The next place that is free, or ``none``.
    let next = Atomic<UInt>(none)

    /// How many changes there were when this process was forked.
    let inherited = Atomic<UInt>(0)

    init(isShared: Bool) {
      self.uses = UseCount(isShared: isShared)
    }
  }

  private let kind: UInt
  private let name: String
  private let isShared: Bool

  /// Chunk k has 8 << k places, so that all have less than 1 << 32.
  private let chunks: UnsafeMutablePointer<UnsafeMutablePointer<Place>>

  private static var maxChunks: Int { 28 }

  /// The number of places. Grows with the lock held.
  private let count = Atomic<UInt>(0)

  /// The first place that is free, or ``none``. Guarded by the lock.
  private var free: UInt = none

  /// - Parameters:
  ///   - kind: A number below ``kinds``, different for each table.
  ///   - isShared: Whether many threads use the same object at once.
  init(kind: UInt, _ name: String, isShared: Bool = false) {
    self.kind = kind
    self.name = name
    self.isShared = isShared
    self.chunks = .allocate(capacity: Self.maxChunks)
  }
}

private let kinds: UInt = 7
private let placeBits: UInt = 32
private let maxOpenings = (UInt.max / kinds) >> placeBits
private let none = UInt.max

/// The index of the place that a number has.
@inline(__always)
private func placeIndex(_ number: UInt) -> UInt {
  (number / kinds) & ((1 << placeBits) - 1)
}

/// The number of changes of its place while a handle is open.
@inline(__always)
private func changes(_ number: UInt) -> UInt {
  ((number / kinds) >> placeBits) &* 2 &- 1
}

// MARK: Finding

extension HandleTable {
  /// Calls `body` with the object of a handle. No other thread waits for it, nor for a count of its
  /// references, which would take longer than short calls.
  @inline(__always)
  func use<Result>(
    _ handle: OpaquePointer?, _ body: (Object) throws -> Result
  ) throws -> Result {
    let number = UInt(bitPattern: handle)
    guard let (place, object, use) = self.beginUse(of: number) else { try self.refuse(handle) }
    defer { self.end(use, of: place, number) }
    return try object._withUnsafeGuaranteedRef { try body($0) }
  }

  @inline(__always)
  private func beginUse(
    of number: UInt
  ) -> (place: UnsafeMutablePointer<Place>, object: Unmanaged<Object>, use: UseCount.Use)? {
    guard let place = self.place(of: number) else { return nil }
    let use = place.pointee.uses.begin()
    guard place.pointee.changes.load(ordering: .sequentiallyConsistent) == changes(number),
      let object = place.pointee.object.load(ordering: .acquiring)
    else {
      self.end(use, of: place, number)
      return nil
    }
    return (place, Unmanaged.fromOpaque(object), use)
  }

  @inline(__always)
  private func end(
    _ use: UseCount.Use, of place: UnsafeMutablePointer<Place>, _ number: UInt
  ) {
    use.end()
    if place.pointee.changes.load(ordering: .sequentiallyConsistent) != changes(number) {
      self.releaseIfUnused(place, number)
    }
  }

  /// Returns the object of a handle.
  func borrow(_ handle: OpaquePointer?) throws(EngineError) -> Object {
    guard let object = self.find(handle) else { try self.refuse(handle) }
    return object
  }

  /// Returns the object of a handle, if the handle is open.
  func find(_ handle: OpaquePointer?) -> Object? {
    let number = UInt(bitPattern: handle)
    guard let (place, object, use) = self.beginUse(of: number) else { return nil }
    defer { self.end(use, of: place, number) }
    return object.takeUnretainedValue()
  }

  /// The place that a number has, if there is one.
  @inline(__always)
  private func place(of number: UInt) -> UnsafeMutablePointer<Place>? {
    let index = placeIndex(number)
    guard number % kinds == self.kind, index < self.count.load(ordering: .acquiring) else {
      return nil
    }
    return self.place(at: index)
  }

  @inline(__always)
  private func place(at index: UInt) -> UnsafeMutablePointer<Place> {
    let position = index + 8
    let chunk = UInt.bitWidth - 4 - position.leadingZeroBitCount
    return self.chunks[chunk] + Int(position - 8 << UInt(chunk))
  }

  // Apart, so that the path above is inlined.
  private func refuse(_ handle: OpaquePointer?) throws(EngineError) -> Never {
    let isInherited = try self.requireCreated(handle)
    throw EngineError(
      .closed,
      isInherited
        ? "the \(self.name) belongs to the process that this one was forked from; "
          + "open one in this process"
        : "the \(self.name) was closed; open another one")
  }

  /// Throws an error for a pointer that was never a handle of this kind.
  ///
  /// - Returns: Whether another process created it, from which this one was forked.
  @discardableResult
  func requireCreated(_ handle: OpaquePointer?) throws(EngineError) -> Bool {
    let number = UInt(bitPattern: try required(handle, self.name))
    if let place = self.place(of: number), number / kinds >= 1 << placeBits {
      let (inherited, last) = self.withLock {
        (
          place.pointee.inherited.load(ordering: .relaxed),
          place.pointee.changes.load(ordering: .relaxed)
        )
      }
      if changes(number) <= last { return changes(number) <= inherited }
    }
    throw EngineError(
      .invalidArgument,
      "\(self.name) was never a valid imd_\(self.name) *; pass one that this library returned")
  }
}

// MARK: Opening and closing

extension HandleTable {
  /// One of the locks of `CSpinLock`, for which a fork waits.
  @inline(__always)
  private func withLock<Result>(_ body: () -> Result) -> Result {
    spinlock_lock(UInt8(truncatingIfNeeded: self.kind))
    defer { spinlock_unlock(UInt8(truncatingIfNeeded: self.kind)) }
    return body()
  }

  /// Creates a handle, owned by the caller until it is closed. (`nil` only if billions are open.)
  func create(_ object: Object) -> OpaquePointer? {
    _ = isWatchingForks
    return self.withLock {
      guard let index = self.takePlace() else { return nil }
      let place = self.place(at: index)
      place.pointee.object.store(
        Unmanaged.passRetained(object).toOpaque(), ordering: .releasing)
      let changes = place.pointee.changes.add(1, ordering: .releasing).newValue
      let opening = (changes + 1) / 2
      let number = (opening << placeBits | index) * kinds + self.kind
      return OpaquePointer(bitPattern: number)
    }
  }

  /// Closes a handle. The object is released when no call uses it any more.
  ///
  /// - Returns: The object.
  func remove(_ handle: OpaquePointer?) -> Object? {
    let number = UInt(bitPattern: handle)
    guard let place = self.place(of: number) else { return nil }
    let object = self.withLock { () -> Object? in
      guard place.pointee.changes.load(ordering: .relaxed) == changes(number) else {
        return nil
      }
      place.pointee.changes.add(1, ordering: .sequentiallyConsistent)
      return place.pointee.object.load(ordering: .relaxed).map {
        Unmanaged.fromOpaque($0).takeUnretainedValue()
      }
    }
    self.releaseIfUnused(place, number)
    return object
  }

  /// Releases a closed object, and makes its place free, if no call uses it.
  private func releaseIfUnused(_ place: UnsafeMutablePointer<Place>, _ number: UInt) {
    let object = self.withLock { () -> Unmanaged<Object>? in
      let count = place.pointee.changes.load(ordering: .relaxed)
      guard count.isMultiple(of: 2), place.pointee.uses.isZero,
        let object = place.pointee.object.exchange(nil, ordering: .acquiringAndReleasing)
      else {
        return nil
      }
      if count / 2 < maxOpenings {
        place.pointee.next.store(self.free, ordering: .relaxed)
        self.free = placeIndex(number)
      }
      return Unmanaged.fromOpaque(object)
    }
    object?.release()
  }

  /// Called with the lock held.
  private func takePlace() -> UInt? {
    if self.free != none {
      defer { self.free = self.place(at: self.free).pointee.next.load(ordering: .relaxed) }
      return self.free
    }
    let index = self.count.load(ordering: .relaxed)
    let chunk = UInt.bitWidth - 4 - (index + 8).leadingZeroBitCount
    guard chunk < Self.maxChunks else { return nil }
    if index + 8 == 8 << UInt(chunk) { self.chunks[chunk] = .allocate(capacity: 8 << chunk) }
    self.place(at: index).initialize(to: Place(isShared: self.isShared))
    self.count.store(index + 1, ordering: .releasing)
    return index
  }

  /// Closes all handles in the child of a fork. Leaks what it had, which may be in use. A place
  /// that was in use is not used again.
  fileprivate func reinitializeAfterFork() {
    self.free = none
    for index in 0..<self.count.load(ordering: .relaxed) {
      let place = self.place(at: index)
      var changes = place.pointee.changes.load(ordering: .relaxed)
      if !changes.isMultiple(of: 2) {
        changes = place.pointee.changes.add(1, ordering: .relaxed).newValue
      }
      place.pointee.inherited.store(changes, ordering: .relaxed)
      place.pointee.object.store(nil, ordering: .relaxed)
      if place.pointee.uses.isZero, changes / 2 < maxOpenings {
        place.pointee.next.store(self.free, ordering: .relaxed)
        self.free = index
      }
    }
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

  /// The same for calls that programs make often, from several threads.
  @inline(__always)
  func enter<Result>(
    _ handle: OpaquePointer?, _ operation: ReentrancyError.Operation,
    _ body: (AnyStore, CallScope) throws -> Result
  ) throws -> Result {
    try self.use(handle) { store in try body(store, store.enter(operation)) }
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
    requests.reinitializeAfterFork, effects.reinitializeAfterFork, logCalls.reinitializeAfterFork,
    logWatches.reinitializeAfterFork,
  ]
  _ = domains
  jansson_functions().pointee.json_object_seed(0)
  ForkHandlers.addForChild {
    for reinitialize in reinitializers { reinitialize() }
  }
  return true
}()
