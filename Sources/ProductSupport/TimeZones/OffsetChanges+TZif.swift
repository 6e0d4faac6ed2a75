import ImmutableJSON

/// The reason why bytes are not a valid TZif file.
struct TZifError: Error, Hashable {
  let reason: String
}

extension OffsetChanges {
  /// Reads the content of a time zone file (TZif, RFC 9636), of versions 1 to 4. Skips leap
  /// seconds, abbreviations, and the indicators for standard time and for UT. O(n).
  init(tzif bytes: [UInt8]) throws(TZifError) {
    var reader = TZifReader(bytes)
    var header = try reader.header()
    guard header.version > 0 else {
      self = try reader.block(header, timeSize: 4)
      return
    }
    // Version 1 stores times in 32 bits. Later versions repeat the data with 64 bits.
    try reader.skip(header.blockSize(timeSize: 4))
    header = try reader.header()
    self = try reader.block(header, timeSize: 8)
    self.rule = try reader.footer()
  }
}

/// The counts at the start of a data block.
private struct TZifHeader {
  let version: UInt8
  let utIndicators, standardIndicators, leapSeconds, times, types, characters: Int

  /// The bytes of the block, without the header. The counts have 32 bits, so this cannot overflow.
  func blockSize(timeSize: Int) -> Int {
    self.times * (timeSize + 1) + self.types * 6 + self.characters
      + self.leapSeconds * (timeSize + 4) + self.standardIndicators + self.utIndicators
  }
}

private struct TZifReader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  mutating func header() throws(TZifError) -> TZifHeader {
    guard try self.take(4).elementsEqual("TZif".utf8) else {
      throw TZifError(reason: "\"TZif\" is missing at byte \(self.position - 4)")
    }
    let version = try self.number(size: 1)
    try self.skip(15)
    var counts: [Int] = []
    for _ in 0..<6 {
      counts.append(Int(try self.number(size: 4) & 0xFFFF_FFFF))
    }
    return TZifHeader(
      version: UInt8(truncatingIfNeeded: version), utIndicators: counts[0],
      standardIndicators: counts[1], leapSeconds: counts[2], times: counts[3], types: counts[4],
      characters: counts[5])
  }

  /// Reads a data block.
  mutating func block(_ header: TZifHeader, timeSize: Int) throws(TZifError) -> OffsetChanges {
    guard header.blockSize(timeSize: timeSize) <= self.bytes.count - self.position else {
      throw TZifError(reason: "it ends before its data")
    }
    guard header.types > 0 else { throw TZifError(reason: "it has no local time") }
    var times: [Int64] = []
    for _ in 0..<header.times {
      let time = try self.number(size: timeSize)
      guard times.last.map({ $0 < time }) ?? true else {
        throw TZifError(reason: "the times before byte \(self.position) are not ascending")
      }
      times.append(time)
    }
    let indexes = try self.take(header.times)
    var offsets: [Int64] = []
    for _ in 0..<header.types {
      let offset = try self.number(size: 4)
      guard -OffsetChanges.maximumOffset...OffsetChanges.maximumOffset ~= offset else {
        throw TZifError(reason: "the offset \(offset) before byte \(self.position) is too large")
      }
      offsets.append(offset)
      try self.skip(2)
    }
    guard indexes.allSatisfy({ $0 < offsets.count }) else {
      throw TZifError(reason: "a change refers to a local time that does not exist")
    }
    try self.skip(
      header.characters + header.leapSeconds * (timeSize + 4) + header.standardIndicators
        + header.utIndicators)
    return OffsetChanges(
      initialOffset: offsets[0], times: times, offsets: indexes.map { offsets[Int($0)] })
  }

  /// Reads the line at the end, which may be empty.
  mutating func footer() throws(TZifError) -> OffsetRule? {
    let rest = self.bytes.dropFirst(self.position)
    guard rest.count >= 2, rest.first == 0x0A, rest.last == 0x0A else {
      throw TZifError(reason: "it ends before its rule")
    }
    let text = String(decoding: rest.dropFirst().dropLast(), as: UTF8.self)
    if text.isEmpty { return nil }
    guard let rule = OffsetRule(text) else {
      throw TZifError(reason: "its rule \(quoted(text)) is not valid")
    }
    return rule
  }
}

extension TZifReader {
  mutating func skip(_ count: Int) throws(TZifError) {
    _ = try self.take(count)
  }

  private mutating func take(_ count: Int) throws(TZifError) -> ArraySlice<UInt8> {
    guard count <= self.bytes.count - self.position else {
      throw TZifError(reason: "it ends before its data")
    }
    defer { self.position += count }
    return self.bytes[self.position..<self.position + count]
  }

  /// Reads a signed number of this many bytes, at most eight, the most significant byte first.
  private mutating func number(size: Int) throws(TZifError) -> Int64 {
    let bytes = try self.take(size)
    let sign: UInt64 = (bytes.first ?? 0) & 0x80 != 0 ? .max : 0
    return Int64(bitPattern: bytes.reduce(sign) { $0 << 8 | UInt64($1) })
  }
}
