/// Reads the members of a line, which are always in the same order and without white space.
struct LineScanner {
  private let text: UnsafeRawBufferPointer
  private(set) var offset = 0
  /// How many numbers were read.
  private(set) var memberCount = 0

  /// - Parameter offset: How many bytes it skips, or all if there are fewer.
  init(_ text: UnsafeRawBufferPointer, from offset: Int = 0) {
    self.text = text
    self.offset = min(offset, text.count)
  }
}

extension LineScanner {
  private var rest: Slice<UnsafeRawBufferPointer> {
    self.text[self.offset...]
  }

  mutating func skip(_ expected: StaticString) -> Bool {
    let isThere = expected.withUTF8Buffer { self.rest.starts(with: $0) }
    if isThere { self.offset += expected.utf8CodeUnitCount }
    return isThere
  }

  mutating func checksum() -> Checksum? {
    guard self.rest.count >= Checksum.digits else { return nil }
    var bits: UInt32 = 0
    for byte in self.rest.prefix(Checksum.digits) {
      let digit: UInt8
      switch byte {
      case 0x30...0x39: digit = byte - 0x30
      case 0x61...0x66: digit = byte - 0x57
      default: return nil
      }
      bits = bits &<< 4 | UInt32(digit)
    }
    self.offset += Checksum.digits
    return Checksum(bits: bits)
  }

  /// An integer, as it is written: without needless zeros.
  mutating func integer() -> Int? {
    let start = self.offset
    let isNegative = self.skip("-")
    var magnitude = 0
    let digits = self.rest.prefix { (0x30...0x39).contains($0) }
    // What has more digits is not a number, offset or time of a log.
    guard let first = digits.first, digits.count <= 18, first != 0x30 || digits.count == 1,
      !isNegative || first != 0x30
    else {
      self.offset = start
      return nil
    }
    for digit in digits {
      magnitude = magnitude * 10 + Int(digit - 0x30)
    }
    self.offset += digits.count
    self.memberCount += 1
    return isNegative ? -magnitude : magnitude
  }

  /// The values of `number`, `synced`, `time` and, in a shared log, `writer`, the first of which
  /// begins here. Without a writer, it is 0.
  mutating func commonMembers() -> (Int, Int, Int, Int)? {
    guard let number = self.integer(), number >= 0,
      self.skip(",\"synced\":"), let synced = self.integer(), synced >= 0,
      self.skip(",\"time\":"), let time = self.integer(), self.skip(",\"")
    else { return nil }
    guard self.skip("writer\":") else { return (number, synced, time, 0) }
    guard let writer = self.integer(), writer > 0, self.skip(",\"") else { return nil }
    return (number, synced, time, writer)
  }

  /// The members of a snapshot, the first of which begins here.
  mutating func place(of number: Int) -> SnapshotPlace? {
    guard self.skip("\""), self.rest.count >= LogHeader.originDigits else { return nil }
    let origin = String(decoding: self.rest.prefix(LogHeader.originDigits), as: UTF8.self)
    self.offset += LogHeader.originDigits
    guard self.skip("\",\"base\":\""), let base = self.checksum(),
      self.skip("\",\"line\":"), let line = self.integer(),
      self.skip(",\"offset\":"), let end = self.integer(), 0 <= line, line < end,
      self.skip(",\"after\":\""), let sum = self.checksum(), self.skip("\",\"")
    else { return nil }
    return SnapshotPlace(
      origin: origin, base: base,
      position: LogPosition(number: number, start: line, end: end, sum: sum))
  }

  mutating func kind() -> LineKind? {
    LineKind.allCases.first { kind in
      let name = kind.rawValue.utf8
      let rest = self.rest
      guard rest.starts(with: name), rest.dropFirst(name.count).starts(with: "\":".utf8) else {
        return false
      }
      self.offset += name.count + 2
      return true
    }
  }
}
