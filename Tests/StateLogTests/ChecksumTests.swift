import CScan
import TestSupport
import Testing

@Suite struct ChecksumTests {
  /// From RFC 3720, appendix B.4, and the usual one.
  @Test func knownTextsHaveTheirChecksums() {
    #expect(crc([]) == 0)
    #expect(crc(Array("123456789".utf8)) == 0xE306_9283)
    #expect(crc([UInt8](repeating: 0, count: 32)) == 0x8A91_36AA)
    #expect(crc([UInt8](repeating: 0xFF, count: 32)) == 0x62A8_AB43)
    #expect(crc(Array(0..<32)) == 0x46DD_794E)
  }

  @Test func theInstructionAndTheTablesAgree() {
    var generator = SeededGenerator(1)
    let bytes = (0..<600).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    for start in 0..<9 {
      for end in start...bytes.count {
        let part = Array(bytes[start..<end])
        if crc(part) != portable(part) { Issue.record("they differ from \(start) to \(end)") }
      }
    }
    #expect(scan_crc32c(crc(Array(bytes[..<100])), Array(bytes[100...]), 500) == crc(bytes))
  }

  private func crc(_ bytes: [UInt8]) -> UInt32 {
    scan_crc32c(0, bytes, bytes.count)
  }

  private func portable(_ bytes: [UInt8]) -> UInt32 {
    scan_crc32c_portable(0, bytes, bytes.count)
  }
}
