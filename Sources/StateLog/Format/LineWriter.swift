internal import CScan
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
    header.withJSON { self.write(.log, $0) { _ in } }
  }

  /// Writes any other line of a log.
  ///
  /// - Parameters:
  ///   - writer: The number of the writer; 0 in a log that is not shared.
  ///   - sum: The checksum of what the data was before it was redacted; `nil` for its own.
  mutating func write(
    _ kind: LineKind, number: Int, synced: Int, time: Int64, writer: Int = 0,
    _ data: UnsafeRawBufferPointer, sum: Checksum? = nil
  ) {
    self.write(kind, data, sum) { head in
      head.appendMembers(number, synced, time)
      guard writer > 0 else { return }
      head.append(",\"writer\":")
      head.append(writer)
    }
  }

  /// Writes a snapshot.
  mutating func write(
    _ place: SnapshotPlace, time: Int64, _ data: UnsafeRawBufferPointer
  ) {
    let position = place.position
    self.write(.snapshot, data) { head in
      head.appendMembers(position.number, position.end, time)
      head.append(",\"origin\":\"")
      head.append(place.origin)
      head.append("\",\"base\":\"")
      head.append(place.base)
      head.append("\",\"line\":")
      head.append(position.start)
      head.append(",\"offset\":")
      head.append(position.end)
      head.append(",\"after\":\"")
      head.append(position.sum)
      head.append("\"")
    }
  }

  private mutating func write(
    _ kind: LineKind, _ data: UnsafeRawBufferPointer, _ sum: Checksum? = nil,
    _ members: (inout LineHead) -> Void
  ) {
    withUnsafeTemporaryAllocation(byteCount: LineHead.limit, alignment: 8) { buffer in
      var head = LineHead(buffer, dataSum: sum ?? Checksum(data))
      members(&head)
      head.append(",\"")
      head.append(kind.rawValue)
      head.append("\":")
      self.sum = head.setSum(after: self.sum)
      self.bytes.append(contentsOf: head.bytes)
    }
    self.bytes.append(contentsOf: data)
    self.bytes.append(UInt8(ascii: "}"))
    self.bytes.append(UInt8(ascii: "\n"))
  }
}

/// A line up to its data.
private struct LineHead {
  private let buffer: UnsafeMutableRawBufferPointer
  private var count = 0

  /// - Parameter buffer: At least ``limit`` bytes.
  init(_ buffer: UnsafeMutableRawBufferPointer, dataSum: Checksum) {
    self.buffer = buffer
    self.append("{\"sum\":\"00000000\",\"data\":\"00000000\"")
    self.buffer.storeBytes(of: dataSum.digitWord, toByteOffset: 26, as: UInt64.self)
  }
}

extension LineHead {
  /// The longest is that of a snapshot: 165 bytes, and up to 20 for each of five numbers, the last
  /// of which needs `WRITE_NUMBER_ROOM`.
  static var limit: Int { 320 }

  var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: self.buffer[..<self.count])
  }

  mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { self.append(UnsafeRawBufferPointer($0)) }
  }

  mutating func append(_ sum: Checksum) {
    withUnsafeBytes(of: sum.digitWord) { self.append($0) }
  }

  mutating func append(_ integer: Int) {
    // What would exceed the limit is dropped; nothing does.
    guard let start = self.buffer.baseAddress,
      self.buffer.count &- self.count >= Int(WRITE_NUMBER_ROOM)
    else { return }
    let end = (start + self.count).assumingMemoryBound(to: UInt8.self)
    self.count &+= json_write_integer(end, Int64(integer))
  }

  mutating func appendMembers(_ number: Int, _ synced: Int, _ time: Int64) {
    self.append(",\"number\":")
    self.append(number)
    self.append(",\"synced\":")
    self.append(synced)
    self.append(",\"time\":")
    self.append(Int(time))
  }

  /// Fills in the sum of the finished head.
  func setSum(after previous: Checksum) -> Checksum {
    let covered = UnsafeRawBufferPointer(rebasing: self.bytes[18...])
    let sum = LogLine.sum(of: covered, after: previous)
    self.buffer.storeBytes(of: sum.digitWord, toByteOffset: 8, as: UInt64.self)
    return sum
  }

  @inline(__always)
  private mutating func append(_ bytes: UnsafeRawBufferPointer) {
    // What would exceed the limit is dropped; nothing does.
    guard let source = bytes.baseAddress, let start = self.buffer.baseAddress,
      bytes.count <= self.buffer.count &- self.count
    else { return }
    (start + self.count).copyMemory(from: source, byteCount: bytes.count)
    self.count &+= bytes.count
  }
}
