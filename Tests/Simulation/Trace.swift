/// What happened in a run: always as a hash, and as text if the run is to be understood.
package struct Trace {
  package private(set) var hash: UInt64 = 0xCBF2_9CE4_8422_2325
  package private(set) var lines: [String] = []
  private let keepsLines: Bool

  init(keepsLines: Bool) {
    self.keepsLines = keepsLines
  }
}

extension Trace {
  mutating func add(_ line: @autoclosure () -> String, _ numbers: (Int, Int) = (0, 0)) {
    self.mix(numbers.0)
    self.mix(numbers.1)
    if self.keepsLines { self.lines.append(line()) }
  }

  mutating func mix(_ bytes: UnsafeRawBufferPointer) {
    var offset = 0
    while offset + 8 <= bytes.count {
      self.mix(bytes.loadUnaligned(fromByteOffset: offset, as: Int.self))
      offset += 8
    }
    for byte in bytes[offset...] { self.mix(Int(byte)) }
  }

  private mutating func mix(_ number: Int) {
    self.hash = (self.hash ^ UInt64(truncatingIfNeeded: number)) &* 0x100_0000_01B3
    self.hash ^= self.hash >> 29
  }
}
