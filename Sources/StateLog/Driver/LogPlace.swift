internal import CScan

/// A place in a log that a driver keeps: after the entry with a number, or at the beginning.
package struct LogPlace: Equatable, Sendable {
  package var number: Int
  /// That of all entries so far.
  package var hash: LogHash

  package init(number: Int = 0, hash: LogHash = LogHash()) {
    (self.number, self.hash) = (number, hash)
  }

  /// The place after the next entry.
  package func after(_ text: UnsafeRawBufferPointer) -> Self {
    Self(number: self.number + 1, hash: self.hash.after(text))
  }
}

/// The SHA-256 of all entries of a log up to one: of the hash before, and the text of the entry. At
/// the beginning it is 0.
package struct LogHash: Equatable, Sendable {
  package var bytes = SIMD32<UInt8>()

  package init() {}

  /// - Parameter bytes: 32; what is missing is 0.
  package init(_ bytes: UnsafeRawBufferPointer) {
    withUnsafeMutableBytes(of: &self.bytes) { own in
      own.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes.prefix(own.count)))
    }
  }

  /// In hexadecimal.
  package var digits: String {
    hexadecimal(self.bytes.indices.map { self.bytes[$0] })
  }

  package func after(_ text: UnsafeRawBufferPointer) -> Self {
    var next = LogHash()
    withUnsafeBytes(of: self.bytes) { before in
      withUnsafeMutableBytes(of: &next.bytes) { out in
        scan_sha256(
          before.baseAddress?.assumingMemoryBound(to: UInt8.self),
          text.baseAddress?.assumingMemoryBound(to: UInt8.self), text.count,
          out.baseAddress?.assumingMemoryBound(to: UInt8.self))
      }
    }
    return next
  }
}

/// The opening of a store that appends to a log: 128 random bits.
package struct LogOrigin: Hashable, Sendable {
  private let high: UInt64
  private let low: UInt64

  package init(randomBits: [UInt8]) {
    func word(_ bytes: ArraySlice<UInt8>) -> UInt64 {
      bytes.reduce(0) { $0 &<< 8 | UInt64($1) }
    }
    (self.high, self.low) = (word(randomBits.prefix(8)), word(randomBits.dropFirst(8).prefix(8)))
  }

  /// - Parameter digits: 32 hexadecimal digits.
  package init?(_ digits: UnsafeRawBufferPointer) {
    guard digits.count == LogHeader.originDigits else { return nil }
    var words: (UInt64, UInt64) = (0, 0)
    for digit in digits {
      let value: UInt8
      switch digit {
      case 0x30...0x39: value = digit &- 0x30
      case 0x61...0x66: value = digit &- 0x57
      default: return nil
      }
      words.0 = words.0 &<< 4 | words.1 &>> 60
      words.1 = words.1 &<< 4 | UInt64(value)
    }
    (self.high, self.low) = words
  }

  /// 32 hexadecimal digits.
  package var digits: String {
    let words = [self.high, self.low]
    return LogHeader.origin(
      words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word &>> (56 - 8 * $0)) } })
  }
}
