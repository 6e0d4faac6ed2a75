#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

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

  /// The first eight bytes, padded with zeros, as a number. The numbers of strings with different
  /// first bytes are in the order of the bytes.
  package var bytePrefix: UInt64 {
    self.withKeyBytes { $0.prefix }
  }
}
