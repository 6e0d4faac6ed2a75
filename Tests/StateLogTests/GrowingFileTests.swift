import StateLog
import Synchronization
import TestSupport
import Testing

/// What a store reads from a log that another one is writing.
@Suite struct GrowingFileTests {
  /// The file has a part of a line, and gets the rest and more at any of the reader's next reads.
  /// The later lines say that this one was on the disk.
  @Test(arguments: 1...8)
  func aLineThatWasReadInPartIsReadAgain(reads: Int) throws {
    let files = MemoryFiles()
    var writer = try TestLog(files)
    for number in 1...6 {
      try writer.add(number...number)
      try writer.log.sync()
    }
    let content = try #require(files.content(of: TestLog.path))
    let lines = content.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let whole = lines.prefix(5).reduce(0) { $0 + $1.count + 1 }
    files.setContent(of: TestLog.path, to: Array(content.prefix(whole)))
    let reader = try TestLog(files) { $0.isReadOnly = true }
    #expect(reader.state == ["[1]", "[2]", "[3]"])

    files.setContent(of: TestLog.path, to: Array(content.prefix(whole + 30)))
    let left = Mutex(reads)
    files.setFault { call in
      guard case .read = call else { return nil }
      let isLast = left.withLock { left in
        left -= 1
        return left == 0
      }
      if isLast { files.setContent(of: TestLog.path, to: content) }
      return nil
    }
    var read: [String] = []
    for _ in 0..<8 {
      try reader.log.entries { read.append(String(decoding: $0.data, as: UTF8.self)) }
    }
    #expect(read == ["[4]", "[5]", "[6]"])
  }
}
