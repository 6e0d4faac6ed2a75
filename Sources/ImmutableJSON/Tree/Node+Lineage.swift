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
// a version does not own the part in a slot, the previous version has the same part in this slot.
//
// A version that is destroyed passes the parts that it owns to the next version, and releases those
// that the next version does not have. So a part lives no longer than the last version that
// contains it.
//
// A node outside a lineage owns all its parts. A lineage never forks: a second copy of a version
// retains its parts. A node leaves its lineage before it is changed in place.
//
// One of the locks of `CSpinLock` guards the links and owners of a lineage. A node refers to its
// neighbors by address. These are valid under the lock, because a node takes it to leave the list
// before its memory is freed.

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
    while owned != 0 {
      body(owned.trailingZeroBitCount)
      owned &= owned &- 1
    }
  }
}

/// The neighbors of a node in its lineage. Packed leaves have none.
struct NodeLinks {
  var previous: UnsafeMutablePointer<NodeHeader>?
  var next: UnsafeMutablePointer<NodeHeader>?
}

extension Node {
  /// Makes an uninitialized copy the next version of this node, which must not be packed. The copy
  /// owns only the part in `slot`.
  ///
  /// - Returns: Whether this node had no next version.
  func lendParts(to copy: Node, except slot: Int) -> Bool {
    self.withUnsafeMutablePointerToHeader { header in
      copy.withUnsafeMutablePointerToHeader { heir in
        let lineage = header.lineage ?? Self.lineage(of: header)
        spinlock_lock(lineage)
        defer { spinlock_unlock(lineage) }
        guard header.links.pointee.next == nil else { return false }
        spinlock_store(&header.pointee.lineage, lineage)
        heir.pointee.lineage = lineage
        heir.pointee.owned = 1 << UInt16(truncatingIfNeeded: slot)
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
      guard let lineage = header.lineage else { return }
      spinlock_lock(lineage)
      defer { spinlock_unlock(lineage) }
      if let next = header.links.pointee.next {
        let passed = header.pointee.owned & ~next.pointee.owned
        next.pointee.owned |= passed
        header.pointee.owned &= ~passed
      }
      header.unlink()
    }
  }

  /// Leaves the lineage of a node that is about to be changed. Afterwards it owns all its parts.
  func ownParts() {
    self.withUnsafeMutablePointerToHeader { header in
      guard let lineage = header.lineage else { return }
      spinlock_lock(lineage)
      defer { spinlock_unlock(lineage) }
      self.retainParts(in: ~header.pointee.owned)
      if let next = header.links.pointee.next {
        let passed = header.pointee.owned & ~next.pointee.owned
        self.retainParts(in: passed)
        next.pointee.owned |= passed
      }
      header.unlink()
      header.pointee.owned = NodeHeader.allParts
      header.pointee.lineage = 0
    }
  }

  private func retainParts(in slots: UInt16) {
    self.withValues { self.retain($0, in: slots) }
    self.withChildren { self.retain($0, in: slots) }
  }

  private func retain<Part>(_ parts: UnsafeMutableBufferPointer<Part>, in slots: UInt16) {
    // A copy that is never deinitialized is a reference.
    withUnsafeTemporaryAllocation(of: Part.self, capacity: 1) { copy in
      for slot in parts.indices where slots & 1 << UInt16(truncatingIfNeeded: slot) != 0 {
        copy.initializeElement(at: 0, to: parts[slot])
      }
    }
  }

  /// Spreads lineages over the locks.
  private static func lineage(of header: UnsafeMutablePointer<NodeHeader>) -> UInt8 {
    let mixed = UInt(bitPattern: header) &* 0x9E37_79B9_7F4A_7C15
    return UInt8(truncatingIfNeeded: mixed >> 57) + 1
  }
}

extension UnsafeMutablePointer<NodeHeader> {
  /// The links of a node that is not packed. They follow its header.
  var links: UnsafeMutablePointer<NodeLinks> {
    UnsafeMutableRawPointer(self + 1).assumingMemoryBound(to: NodeLinks.self)
  }

  /// The number of the node's lineage, which determines its lock; `nil` if it never had one.
  fileprivate var lineage: UInt8? {
    let lineage = spinlock_load(&self.pointee.lineage)
    return lineage == 0 ? nil : lineage
  }

  /// Removes a node from its lineage, whose lock must be held.
  fileprivate func unlink() {
    let links = self.links.pointee
    links.previous?.links.pointee.next = links.next
    links.next?.links.pointee.previous = links.previous
    self.links.pointee = NodeLinks()
  }
}
