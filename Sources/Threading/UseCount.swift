internal import CThreadRecord
import Synchronization

/// Counts the threads that use something, for the one that waits until nobody does.
///
/// A thread counts in a cache line that it shares with few others, so that threads that use the
/// same thing do not slow each other.
public struct UseCount: ~Copyable, @unchecked Sendable {
  private let lines: UnsafeMutableRawPointer
  private let mask: Int

  /// - Parameter isShared: Whether many threads use the same thing at once. It then takes 512
  ///   bytes, otherwise 8.
  package init(isShared: Bool) {
    let count = isShared ? 8 : 1
    self.mask = count - 1
    self.lines = .allocate(
      byteCount: isShared ? count * Self.line : MemoryLayout<Int>.size,
      alignment: isShared ? Self.line : MemoryLayout<Int>.alignment)
    for index in 0..<count {
      (self.lines + index * Self.line).bindMemory(to: Atomic<Int>.self, capacity: 1)
        .initialize(to: Atomic(0))
      if isShared { Self.object(in: self.lines + index * Self.line).initialize(to: Atomic(nil)) }
    }
  }

  deinit {
    if self.mask > 0 { self.removeObjects() }
    self.lines.deallocate()
  }

  private static var line: Int { 64 }
}

// Sequentially consistent: a thread counts itself before it looks whether the thing has been
// closed, and who closes it marks it as closed before it looks whether there are users.
extension UseCount {
  /// A use that has begun.
  package struct Use {
    @usableFromInline let count: UnsafeMutablePointer<Atomic<Int>>

    /// - Parameter isCounted: Whether it is one of those that are counted after their end, too.
    @inlinable
    package func end(isCounted: Bool = false) {
      self.count.pointee.wrappingAdd(
        isCounted ? UseCount.oneEnded - 1 : -1, ordering: .sequentiallyConsistent)
    }
  }

  package borrowing func begin() -> Use {
    let use = Use(count: self[Int(thread_record_stripe()) & self.mask])
    use.count.pointee.wrappingAdd(1, ordering: .sequentiallyConsistent)
    return use
  }

  /// Whether nobody uses it. Exact once no use can begin.
  package var isZero: Bool {
    // All lines, so that the loop has few branches: they are rarely in use.
    var counts = 0
    for index in 0...self.mask {
      counts |= self[index].pointee.load(ordering: .sequentiallyConsistent)
    }
    return counts & (Self.oneEnded - 1) == 0
  }

  /// The number of uses that have ended and are counted.
  package var counted: Int {
    (0...self.mask).reduce(0) { $0 + self[$1].pointee.load(ordering: .relaxed) >> 20 }
  }

  /// A line has the number of uses, and this for each that has ended and is counted.
  @inlinable static var oneEnded: Int { 1 << 20 }

  @inline(__always)
  fileprivate static func object(
    in line: UnsafeMutableRawPointer
  ) -> UnsafeMutablePointer<Atomic<UnsafeMutableRawPointer?>> {
    (line + MemoryLayout<Int>.stride).assumingMemoryBound(to: Atomic<UnsafeMutableRawPointer?>.self)
  }

  @inline(__always)
  private subscript(index: Int) -> UnsafeMutablePointer<Atomic<Int>> {
    (self.lines + index &* Self.line).assumingMemoryBound(to: Atomic<Int>.self)
  }
}

// MARK: Objects

// A line has an object, too, whose references only the threads of the line count.

extension UseCount.Use {
  /// Returns the object of the line. Only for something that many threads use.
  ///
  /// - Parameter make: Makes it if there is none; `nil` for none.
  package func object(orMake make: () -> AnyObject?) -> AnyObject? {
    let place = UseCount.object(in: UnsafeMutableRawPointer(self.count))
    // Taken meanwhile: another thread of the line makes one of its own.
    let taken = place.pointee.exchange(nil, ordering: .acquiring)
    let known = taken.map { Unmanaged<AnyObject>.fromOpaque($0).takeRetainedValue() }
    guard let object = known ?? make() else { return nil }
    let owned = Unmanaged.passRetained(object)
    let (isPut, _) = place.pointee.compareExchange(
      expected: nil, desired: owned.toOpaque(), ordering: .releasing)
    if !isPut { owned.release() }
    return object
  }
}

extension UseCount {
  /// Releases the objects of all lines. Called while nobody uses it.
  package func removeObjects() {
    for index in 0...self.mask {
      let object = Self.object(in: UnsafeMutableRawPointer(self[index])).pointee
        .exchange(nil, ordering: .acquiring)
      if let object { Unmanaged<AnyObject>.fromOpaque(object).release() }
    }
  }
}
