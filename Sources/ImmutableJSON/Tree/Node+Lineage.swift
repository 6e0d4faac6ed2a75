internal import CSpinLock

// The versions of a node own its parts together.
//
// A copy that differs in one part would have to retain all others, and the replaced node, which is
// usually destroyed soon after, would have to release them. Each would touch the memory of a part
// that nobody reads. Instead, the copy follows the original in a list, the lineage:
//
// ```
//   oldest version <-> … <-> newest version
// ```
//
// Invariant: the oldest version that contains a part owns it: it holds a reference to the part. If
// a version does not own the part in a slot, the previous version has the same part, in the slot
// given by the `SlotShift` of the version.
//
// A version that is destroyed passes the parts that it owns to the next version, and releases those
// that the next version does not have. So a part lives no longer than the last version that
// contains it.
//
// A node outside a lineage owns all its parts. A lineage never forks: a second copy of a version
// retains its parts. A node leaves its lineage before it is changed in place.
//
// If a version between two others is destroyed, and parts changed their slots both from the
// previous version and to the next, no `SlotShift` describes both steps. Then the next version
// retains its parts, and begins a lineage of its own.
//
// One of the locks of `CSpinLock` guards the links and owners of a lineage. A node refers to its
// neighbors by address. These are valid under the lock, because a node takes it to leave the list
// before its memory is freed.

extension Value {
  /// Whether values can be used in the child of a fork: `false` if the process had no memory to
  /// register the handlers that make a fork wait for the locks of lineages.
  package static var isForkSafe: Bool {
    spinlock_is_fork_safe() != 0
  }
}

extension NodeHeader {
  /// The value of `owned` outside a lineage.
  static var allParts: UInt16 { .max }
}

extension Node {
  /// Calls `body` with the slots of the parts that this node owns.
  @inline(__always)
  func forEachOwnedSlot(_ body: (Int) -> Void) {
    var owned = self.withUnsafeMutablePointerToHeader { $0.pointee.owned }
    guard owned != NodeHeader.allParts else { return (0..<self.count).forEach(body) }
    owned &= .slots(below: self.count)
    while owned != 0 {
      body(owned.trailingZeroBitCount)
      owned &= owned &- 1
    }
  }
}

extension UInt16 {
  /// The slots below a number, as bits.
  @inline(__always)
  static func slots(below end: Int) -> UInt16 {
    UInt16(truncatingIfNeeded: (1 &<< UInt32(truncatingIfNeeded: end)) &- 1)
  }
}

/// How the parts that a version shares with the previous one moved.
struct SlotShift: Equatable {
  /// The first moved slot of the previous version, times 4, plus a direction.
  private let bits: UInt8

  private static var up: UInt8 { 1 }
  private static var down: UInt8 { 2 }

  private init(_ bits: UInt8) {
    self.bits = bits
  }

  /// All parts that remain are in the same slots.
  static var none: SlotShift { SlotShift(0) }

  /// A part was inserted: the parts from a slot on are one slot further.
  static func up(from slot: Int) -> SlotShift {
    SlotShift(UInt8(truncatingIfNeeded: slot) << 2 | self.up)
  }

  /// The part before a slot was removed: the parts from this slot on are one slot nearer.
  static func down(from slot: Int) -> SlotShift {
    SlotShift(UInt8(truncatingIfNeeded: slot) << 2 | self.down)
  }

  private var start: Int {
    Int(self.bits >> 2)
  }

  /// Converts slots of the previous version, as bits, to those of this version. Drops a slot whose
  /// part was removed.
  @inline(__always)
  func moved(_ slots: UInt16) -> UInt16 {
    self == .none ? slots : self.move(slots)
  }

  /// Converts slots of this version, as bits, to those of the previous version, which must have
  /// their parts.
  @inline(__always)
  func restored(_ slots: UInt16) -> UInt16 {
    self == .none ? slots : self.restore(slots)
  }

  private func move(_ slots: UInt16) -> UInt16 {
    let fixed = UInt16.slots(below: self.start)
    if self.bits & 3 == Self.up {
      return slots & fixed | (slots & ~fixed) << 1
    }
    return slots & .slots(below: self.start - 1) | (slots & ~fixed) >> 1
  }

  private func restore(_ slots: UInt16) -> UInt16 {
    if self.bits & 3 == Self.up {
      let fixed = UInt16.slots(below: self.start)
      return slots & fixed | slots >> 1 & ~fixed
    }
    let fixed = UInt16.slots(below: self.start - 1)
    return slots & fixed | (slots & ~fixed) << 1
  }
}

/// The neighbors of a node in its lineage. Packed leaves have none.
struct NodeLinks {
  var previous: UnsafeMutablePointer<NodeHeader>?
  var next: UnsafeMutablePointer<NodeHeader>?
}

extension Node {
  /// Makes an uninitialized copy the next version of this node, which must not be packed.
  ///
  /// - Parameters:
  ///   - owned: The slots in the copy of the parts that this node does not have, as bits.
  ///   - shift: How the other parts move.
  /// - Returns: Whether this node had no next version.
  func lendParts(to copy: Node, owned: UInt16, _ shift: SlotShift) -> Bool {
    self.withUnsafeMutablePointerToHeader { header in
      copy.withUnsafeMutablePointerToHeader { heir in
        let lock = header.lineageLock ?? Self.newLineageLock(for: header)
        spinlock_lock(lock)
        defer { spinlock_unlock(lock) }
        guard header.links.pointee.next == nil else { return false }
        spinlock_store(&header.pointee.lineageLock, lock)
        heir.pointee.lineageLock = lock
        heir.pointee.owned = owned
        heir.pointee.shift = shift
        heir.links.pointee.previous = header
        header.links.pointee.next = heir
        return true
      }
    }
  }

  /// Leaves the lineage of a node that is being destroyed. Afterwards it has only the parts that it
  /// owns.
  func leaveLineage() {
    self.withUnsafeMutablePointerToHeader { header in
      guard let lock = header.lineageLock else { return }
      spinlock_lock(lock)
      defer { spinlock_unlock(lock) }
      let passed = header.passParts()
      header.pointee.owned &= ~passed
      header.unlink()
    }
  }

  /// Leaves the lineage of a node that is about to be changed. Afterwards it owns all its parts.
  func ownParts() {
    self.withUnsafeMutablePointerToHeader { header in
      guard let lock = header.lineageLock else { return }
      spinlock_lock(lock)
      defer { spinlock_unlock(lock) }
      header.retainParts(in: ~header.pointee.owned)
      header.retainParts(in: header.passParts())
      header.unlink()
      header.pointee.owned = NodeHeader.allParts
      header.pointee.lineageLock = 0
    }
  }

  /// The lock of the lineage that a node begins: spreads lineages over the locks.
  private static func newLineageLock(for header: UnsafeMutablePointer<NodeHeader>) -> UInt8 {
    let mixed = UInt(bitPattern: header) &* 0x9E37_79B9_7F4A_7C15
    return UInt8(truncatingIfNeeded: mixed >> 58) + 1
  }
}

extension UnsafeMutablePointer<NodeHeader> {
  /// The links of a node that is not packed. They follow its header.
  var links: UnsafeMutablePointer<NodeLinks> {
    UnsafeMutableRawPointer(self + 1).assumingMemoryBound(to: NodeLinks.self)
  }

  /// The number of the lock of the node's lineage; `nil` if it has none.
  fileprivate var lineageLock: UInt8? {
    let lock = spinlock_load(&self.pointee.lineageLock)
    return lock == 0 ? nil : lock
  }

  /// Passes the owned parts that the next version has to it. The lock must be held.
  ///
  /// - Returns: The slots of these parts, as bits.
  fileprivate func passParts() -> UInt16 {
    guard let next = self.links.pointee.next else { return 0 }
    let shift = next.pointee.shift
    let passed =
      shift.moved(self.pointee.owned) & ~next.pointee.owned
      & .slots(below: Int(next.pointee.count))
    next.pointee.owned |= passed
    return shift.restored(passed)
  }

  /// Removes a node from its lineage, whose lock must be held.
  fileprivate func unlink() {
    let links = self.links.pointee
    self.links.pointee = NodeLinks()
    links.previous?.links.pointee.next = links.next
    links.next?.links.pointee.previous = links.previous
    guard self.pointee.shift != .none, let previous = links.previous, let next = links.next else {
      return
    }
    if next.pointee.shift == .none {
      next.pointee.shift = self.pointee.shift
    } else {
      next.retainParts(in: ~next.pointee.owned)
      next.pointee.owned = NodeHeader.allParts
      next.links.pointee.previous = nil
      previous.links.pointee.next = nil
    }
  }

  fileprivate func retainParts(in slots: UInt16) {
    let parts = UnsafeMutableRawPointer(self.links + 1)
    switch self.pointee.kind {
    case .inner: self.retain(parts.assumingMemoryBound(to: Child.self), in: slots)
    case .leaf: self.retain(parts.assumingMemoryBound(to: Value.self), in: slots)
    default: break
    }
  }

  private func retain<Part>(_ parts: UnsafeMutablePointer<Part>, in slots: UInt16) {
    // Initializing the copy retains the part. Nothing deinitializes the copy, so the reference
    // stays.
    withUnsafeTemporaryAllocation(of: Part.self, capacity: 1) { copy in
      for slot in 0..<Int(self.pointee.count)
      where slots & 1 << UInt16(truncatingIfNeeded: slot) != 0 {
        copy.initializeElement(at: 0, to: parts[slot])
      }
    }
  }
}
