internal import CScan
import Glibc

/// Writes canonical JSON text.
struct JSONWriter: ~Copyable {
  /// The start of the text, after a prefix of the memory, which is from `malloc`.
  private var start: UnsafeMutablePointer<UInt8>
  private let prefix: Int

  /// The size of the memory after the prefix.
  private var capacity: Int
  private(set) var count = 0

  /// - Parameter prefix: The number of bytes before the text, for the caller.
  init(capacity: Int = 256, prefix: Int = 0) {
    self.prefix = prefix
    self.capacity = capacity
    self.start = Self.reallocate(nil, prefix + capacity) + prefix
  }

  deinit {
    free(self.start - self.prefix)
  }

  /// Returns the memory, which the caller frees: the prefix, the text, and a free byte after it.
  ///
  /// - Parameter isExact: Whether the memory ends there. If it does not, `malloc` can use it for
  ///   the next text as it is; what is cut off from large memory is returned to the system.
  consuming func takeMemory(isExact: Bool) -> UnsafeMutablePointer<UInt8> {
    self.reserve(1)
    var memory = self.start - self.prefix
    if isExact {
      memory = Self.reallocate(memory, self.prefix + self.count + 1)
    }
    discard self
    return memory
  }

  /// The written bytes, valid until the next write.
  var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: self.start, count: self.count)
  }
}

// MARK: Bytes

extension JSONWriter {
  /// The last byte written; 0 before the first.
  var last: UInt8 {
    self.count > 0 ? self.start[self.count - 1] : 0
  }

  /// The offset of the first byte from `offset` on that is not the comma before an element.
  func afterComma(_ offset: Int) -> Int {
    offset < self.count && self.start[offset] == UInt8(ascii: ",") ? offset + 1 : offset
  }

  @inline(__always)
  mutating func append(_ byte: UInt8) {
    self.reserve(1)
    self.appendReserved(byte)
  }

  @inline(__always)
  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    self.reserve(bytes.count)
    UnsafeMutableRawBufferPointer(start: self.start + self.count, count: bytes.count)
      .copyMemory(from: bytes)
    self.count &+= bytes.count
  }

  @inline(__always)
  mutating func append(_ text: StaticString) {
    self.append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Ensures room for more bytes.
  @inline(__always)
  private mutating func reserve(_ more: Int) {
    if self.capacity &- self.count < more {
      self.grow(by: more)
    }
  }

  /// Appends a byte for which there is room.
  @inline(__always)
  private mutating func appendReserved(_ byte: UInt8) {
    self.start[self.count] = byte
    self.count &+= 1
  }

  @inline(never)
  private mutating func grow(by more: Int) {
    self.capacity = max(2 * self.capacity, self.count + more)
    // Large memory is moved without copying it.
    self.start =
      Self.reallocate(self.start - self.prefix, self.prefix + self.capacity) + self.prefix
  }

  private static func reallocate(
    _ memory: UnsafeMutablePointer<UInt8>?, _ size: Int
  ) -> UnsafeMutablePointer<UInt8> {
    // Swift, too, stops the process if there is no memory.
    guard let memory = realloc(memory, size) else { abort() }
    return memory.assumingMemoryBound(to: UInt8.self)
  }
}

// MARK: Scalars

extension JSONWriter {
  @inline(__always)
  mutating func write(integer: Int64) {
    self.reserve(WRITE_NUMBER_ROOM)
    self.count &+= json_write_integer(self.start + self.count, integer)
  }

  /// Writes the fewest significant digits that parse as the same double.
  @inline(__always)
  mutating func write(real: Double) {
    // JSON has neither infinity nor NaN; parsing never yields them.
    guard real.isFinite else { return self.append("null") }
    self.reserve(WRITE_NUMBER_ROOM)
    self.count &+= json_write_double(self.start + self.count, real)
  }

  /// Writes a string with its quotes and escapes.
  @inline(__always)
  mutating func write(string: UnsafeRawBufferPointer) {
    self.append(UInt8(ascii: "\""))
    var at = string.baseAddress?.assumingMemoryBound(to: UInt8.self)
    var rest = string.count
    while rest > 0, let part = at {
      let count = min(rest, Self.maxPart)
      self.reserve(WRITE_ESCAPE_LENGTH &* count &+ WRITE_SLACK)
      self.count &+= json_write_characters(self.start + self.count, part, count)
      at = part + count
      rest &-= count
    }
    self.append(UInt8(ascii: "\""))
  }

  /// The number of bytes of a string for which room is reserved at once, as if each needed an
  /// escape.
  private static var maxPart: Int { 4096 }

  /// Writes a key, and the colon after it.
  mutating func write(key: KeyBytes) {
    self.write(string: key.bytes)
    self.append(UInt8(ascii: ":"))
  }

  /// Writes a key that has no characters that are escaped, and the colon after it.
  @inline(__always)
  mutating func write(plainKey key: KeyBytes) {
    let count = key.bytes.count
    self.reserve(count &+ 16)
    self.appendReserved(UInt8(ascii: "\""))
    let end = UnsafeMutableRawPointer(self.start + self.count)
    // The prefix has the first eight bytes. Those after a shorter key are overwritten.
    end.storeBytes(of: key.prefix.bigEndian, as: UInt64.self)
    if count > 8, let bytes = key.bytes.baseAddress {
      if count <= 16 {
        // The last eight bytes, which may overlap the first.
        let last = (bytes + count - 8).loadUnaligned(as: UInt64.self)
        (end + count - 8).storeBytes(of: last, as: UInt64.self)
      } else {
        end.copyMemory(from: bytes, byteCount: count)
      }
    }
    self.count &+= count
    self.appendReserved(UInt8(ascii: "\""))
    self.appendReserved(UInt8(ascii: ":"))
  }
}
