internal import CScan

/// Reads a file line by line, in memory for one line.
final class LineReader {
  /// A part of the file from the offset to the end; the bytes are valid until the next is read.
  struct Part {
    /// Without the line feed.
    let bytes: UnsafeRawBufferPointer
    let offset: Int
    /// Where the next part begins.
    let end: Int
    /// Whether a line feed ends it. If not, it ends the file, or has no shape of a line.
    let isComplete: Bool
    /// Whether the file was read several times for it. A writer may have replaced its beginning
    /// meanwhile.
    var isJoined = false
  }

  let file: any File
  private let path: String
  /// Where the next part begins.
  private(set) var offset: Int

  private var buffer: UnsafeMutableRawBufferPointer
  /// The bytes of the buffer that were read and not returned.
  private var unread = 0..<0

  init(_ file: any File, path: String, from offset: Int = 0) {
    (self.file, self.path, self.offset) = (file, path, offset)
    self.buffer = .allocate(byteCount: Self.size, alignment: 16)
  }

  deinit {
    self.buffer.deallocate()
  }

  private static var size: Int { 1 << 18 }
}

extension LineReader {
  /// Goes on elsewhere, and reads anew what was read before.
  func move(to offset: Int) {
    self.offset = offset
    self.unread = 0..<0
  }

  /// - Returns: `nil` at the end of the file.
  /// - Throws: `limit` if a line is longer than ``LogLine/limit``.
  func next() throws(LogError) -> Part? {
    var searched = 0
    var isJoined = false
    while true {
      let bytes = UnsafeRawBufferPointer(rebasing: self.buffer[self.unread])
      let length = Self.lineLength(bytes, from: searched)
      // What does not begin as a line, or has a byte that no line has, is not collected until its
      // end, which may be far.
      let isLine = bytes.starts(with: Self.beginning.prefix(bytes.count))
      guard length < LogLine.limit || !isLine else { throw .tooLong(self.path, at: self.offset) }
      if length < bytes.count {
        var part = self.take(length, isComplete: true)
        part.isJoined = isJoined
        return part
      }
      guard isLine && !bytes[searched...].contains(0) || bytes.isEmpty else {
        return self.take(length, isComplete: false)
      }
      searched = length
      isJoined = !bytes.isEmpty
      guard try self.readMore() else {
        return bytes.isEmpty ? nil : self.take(length, isComplete: false)
      }
    }
  }

  /// Goes behind the next line, and does not collect it.
  ///
  /// - Returns: `false` at the end of the file.
  func skip() throws(LogError) -> Bool {
    while true {
      let bytes = UnsafeRawBufferPointer(rebasing: self.buffer[self.unread])
      let length = Self.lineLength(bytes, from: 0)
      let isComplete = length < bytes.count
      _ = self.take(length, isComplete: isComplete)
      if isComplete { return true }
      guard try self.readMore() else { return false }
    }
  }

  /// The first bytes of the next line, or all if it has fewer.
  func peek(_ count: Int) throws(LogError) -> UnsafeRawBufferPointer {
    while self.unread.count < count, try self.readMore() {}
    return UnsafeRawBufferPointer(rebasing: self.buffer[self.unread].prefix(count))
  }

  private static let beginning = Array("{\"sum\":\"".utf8)

  private static func lineLength(_ bytes: UnsafeRawBufferPointer, from offset: Int) -> Int {
    guard let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return 0 }
    return (scan_line(start + offset, start + bytes.count) ?? start) - start
  }

  private func take(_ length: Int, isComplete: Bool) -> Part {
    let start = self.unread.lowerBound
    let bytes = UnsafeRawBufferPointer(rebasing: self.buffer[start..<start + length])
    let count = isComplete ? length + 1 : length
    let part = Part(
      bytes: bytes, offset: self.offset, end: self.offset + count, isComplete: isComplete)
    self.unread = start + count..<self.unread.upperBound
    self.offset += count
    return part
  }

  /// - Returns: Whether there was more.
  private func readMore() throws(LogError) -> Bool {
    let kept = self.buffer[self.unread]
    let isFull = 2 * kept.count > self.buffer.count
    if isFull {
      let larger = UnsafeMutableRawBufferPointer.allocate(
        byteCount: 2 * self.buffer.count, alignment: 16)
      larger.copyBytes(from: kept)
      self.buffer.deallocate()
      self.buffer = larger
    } else if self.unread.lowerBound > 0, let start = self.buffer.baseAddress {
      start.copyMemory(from: start + self.unread.lowerBound, byteCount: kept.count)
    }
    self.unread = 0..<kept.count
    let room = UnsafeMutableRawBufferPointer(rebasing: self.buffer[kept.count...])
    let count = try self.file.read(at: self.offset + kept.count, into: room)
    self.unread = 0..<self.unread.upperBound + count
    return count > 0
  }
}
