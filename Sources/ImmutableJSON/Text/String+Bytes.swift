import Glibc

extension String {
  /// Whether both strings have the same bytes. (`==` compares normal forms.)
  @usableFromInline package func hasSameBytes(as other: String) -> Bool {
    var (left, right) = (self, other)
    return left.withUTF8 { left in
      right.withUTF8 { right in
        guard let start = left.baseAddress, let other = right.baseAddress else {
          return left.count == right.count
        }
        return left.count == right.count
          && (start == other || memcmp(start, other, left.count) == 0)
      }
    }
  }

  /// Compares two strings by their bytes, which yields the order of their code points: negative, 0
  /// or positive.
  @usableFromInline package func compareBytes(with other: String) -> Int {
    var (left, right) = (self, other)
    return left.withUTF8 { left in
      right.withUTF8 { right in
        let common = min(left.count, right.count)
        guard common > 0, let start = left.baseAddress, let other = right.baseAddress else {
          return left.count - right.count
        }
        let order = Int(memcmp(start, other, common))
        return order != 0 ? order : left.count - right.count
      }
    }
  }

  /// The first eight bytes, padded with zeros, as a number. The numbers of strings with different
  /// first bytes are in the order of the bytes.
  package var bytePrefix: UInt64 {
    self.withKeyBytes { $0.prefix }
  }
}

extension UnsafeRawBufferPointer {
  package func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
    guard self.count == other.count else { return false }
    guard let start = self.baseAddress, let other = other.baseAddress else { return true }
    return memcmp(start, other, self.count) == 0
  }
}

extension [UInt8] {
  package func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
    self.withUnsafeBytes { $0.hasSameBytes(as: other) }
  }
}
