import ImmutableJSON

/// Writes lines, each of which continues the chain of checksums.
struct LineWriter {
  var bytes: [UInt8] = []
  private(set) var sum: Checksum

  init(after sum: Checksum = Checksum()) {
    self.sum = sum
  }
}

extension LineWriter {
  /// In place of data that must be forgotten, followed by spaces.
  static var redaction: String { "\"redacted\"" }

  /// Writes the first line of a log.
  mutating func write(header: Value) {
    header.withJSON { data in
      let start = self.begin(data)
      self.end(start, .log, data)
    }
  }

  /// Writes any other line of a log.
  mutating func write(
    _ kind: LineKind, number: Int, synced: Int, time: Int64, _ data: UnsafeRawBufferPointer
  ) {
    let start = self.begin(data)
    self.writeCommonMembers(number, synced, time)
    self.end(start, kind, data)
  }

  /// Writes a snapshot.
  mutating func write(
    _ place: SnapshotPlace, time: Int64, _ data: UnsafeRawBufferPointer
  ) {
    let position = place.position
    let start = self.begin(data)
    self.writeCommonMembers(position.number, position.end, time)
    self.append("\"origin\":\"")
    self.bytes.append(contentsOf: place.origin.utf8)
    self.append("\",\"base\":\"")
    self.append(place.base)
    self.append("\",\"line\":")
    self.append(position.start)
    self.append(",\"offset\":")
    self.append(position.end)
    self.append(",\"after\":\"")
    self.append(position.sum)
    self.append("\",")
    self.end(start, .snapshot, data)
  }

  private mutating func begin(_ data: UnsafeRawBufferPointer) -> Int {
    let start = self.bytes.count
    self.append("{\"sum\":\"00000000\",\"data\":\"")
    self.append(Checksum(data))
    self.append("\",")
    return start
  }

  private mutating func writeCommonMembers(_ number: Int, _ synced: Int, _ time: Int64) {
    self.append("\"number\":")
    self.append(number)
    self.append(",\"synced\":")
    self.append(synced)
    self.append(",\"time\":")
    self.append(Int(time))
    self.append(",")
  }

  private mutating func end(_ start: Int, _ kind: LineKind, _ data: UnsafeRawBufferPointer) {
    self.append("\"")
    self.bytes.append(contentsOf: kind.rawValue.utf8)
    self.append("\":")
    self.bytes.withUnsafeMutableBytes { bytes in
      let line = UnsafeMutableRawBufferPointer(rebasing: bytes[start...])
      let covered = UnsafeRawBufferPointer(rebasing: line.dropFirst(18))
      self.sum = LogLine.sum(of: covered, after: self.sum)
      line.storeBytes(of: self.sum.digitWord, toByteOffset: 8, as: UInt64.self)
    }
    self.bytes.append(contentsOf: data)
    self.append("}\n")
  }

  private mutating func append(_ text: StaticString) {
    text.withUTF8Buffer { self.bytes.append(contentsOf: $0) }
  }

  private mutating func append(_ sum: Checksum) {
    withUnsafeBytes(of: sum.digitWord) { self.bytes.append(contentsOf: $0) }
  }

  private mutating func append(_ integer: Int) {
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
      self.bytes.append(contentsOf: digits[index...])
    }
  }
}
