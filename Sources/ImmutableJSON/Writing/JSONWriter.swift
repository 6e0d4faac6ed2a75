internal import CScan

/// Writes canonical JSON text.
struct JSONWriter: ~Copyable {
  private var start: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  private(set) var count = 0

  init(capacity: Int = 256) {
    self.capacity = capacity
    self.start = .allocate(capacity: self.capacity)
  }

  deinit {
    self.start.deallocate()
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
    self.start[self.count] = byte
    self.count &+= 1
  }

  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    self.reserve(bytes.count)
    UnsafeMutableRawBufferPointer(start: self.start + self.count, count: bytes.count)
      .copyMemory(from: bytes)
    self.count &+= bytes.count
  }

  mutating func append(_ text: StaticString) {
    text.withUTF8Buffer { self.append(UnsafeRawBufferPointer($0)) }
  }

  /// Ensures room for more bytes.
  @inline(__always)
  private mutating func reserve(_ more: Int) {
    if self.capacity &- self.count < more {
      self.grow(by: more)
    }
  }

  @inline(never)
  private mutating func grow(by more: Int) {
    let larger = max(2 * self.capacity, self.count + more)
    let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    copy.update(from: self.start, count: self.count)
    self.start.deallocate()
    (self.start, self.capacity) = (copy, larger)
  }
}

// MARK: Scalars

extension JSONWriter {
  mutating func write(integer: Int64) {
    // The digits are filled in from the last to the first, and then the sign.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var index = digits.count
      var rest = integer.magnitude
      repeat {
        let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
        index &-= 1
        digits[index] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: digit)
        rest = quotient
      } while rest > 0
      if integer < 0 {
        index &-= 1
        digits[index] = UInt8(ascii: "-")
      }
      self.append(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(digits)[index...]))
    }
  }

  /// Writes the fewest significant digits that parse as the same double.
  mutating func write(real: Double) {
    // JSON has neither infinity nor NaN; parsing never yields them.
    guard real.isFinite else { return self.append("null") }
    var output = DoubleOutput()
    real.write(to: &output)
    withUnsafeBytes(of: &output.bytes) { bytes in
      self.append(UnsafeRawBufferPointer(rebasing: bytes[..<output.count]))
    }
  }

  mutating func write(string: UnsafeRawBufferPointer) {
    self.append(UInt8(ascii: "\""))
    if let start = string.baseAddress?.assumingMemoryBound(to: UInt8.self) {
      var at = start
      let end = start + string.count
      while true {
        let special = scan_unescaped(at, end) ?? end
        self.append(UnsafeRawBufferPointer(start: at, count: special - at))
        guard special < end else { break }
        self.append(escaped: special.pointee)
        at = special + 1
      }
    }
    self.append(UInt8(ascii: "\""))
  }

  private mutating func append(escaped byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): self.append("\\\"")
    case UInt8(ascii: "\\"): self.append("\\\\")
    case 0x08: self.append("\\b")
    case 0x09: self.append("\\t")
    case 0x0A: self.append("\\n")
    case 0x0C: self.append("\\f")
    case 0x0D: self.append("\\r")
    default:
      self.append("\\u00")
      self.append(hexDigit: byte >> 4)
      self.append(hexDigit: byte & 0xF)
    }
  }

  private mutating func append(hexDigit digit: UInt8) {
    self.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + (digit - 10))
  }
}
