import AnimalsData

/// The secret that clients must send to use a server.
///
/// Its description is a placeholder, so that no log or message quotes it by accident.
package struct AccessToken: Sendable {
  private let bytes: [UInt8]

  /// - Returns: `nil` unless the text consists of 1 to 4,096 visible ASCII characters without
  ///   spaces.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    let visible: ClosedRange<UInt8> = 0x21...0x7E
    guard (1...Self.maximumLength).contains(bytes.count),
      bytes.allSatisfy({ visible.contains($0) })
    else { return nil }
    self.bytes = bytes
  }

  package static var maximumLength: Int { RemoteRequest.maximumTokenLength }
}

extension AccessToken {
  /// Whether the value of an `Authorization` header carries this token (RFC 6750, section 2.1).
  package func allows(_ authorization: String?) -> Bool {
    guard let authorization else { return false }
    let parts = authorization.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "bearer" else { return false }
    return self.equals(Array(parts[1].drop(while: { $0 == " " }).utf8))
  }

  /// Compares in constant time: for every candidate, each byte of the token is read once.
  ///
  /// `==` stops at the first difference, so a client could measure how many leading bytes are right
  /// and guess the token byte by byte. Here the number of steps depends only on the length of the
  /// token, and no branch depends on its bytes.
  private func equals(_ candidate: [UInt8]) -> Bool {
    var difference = UInt(bitPattern: self.bytes.count ^ candidate.count)
    for (index, byte) in self.bytes.enumerated() {
      let other = index < candidate.count ? candidate[index] : 0
      difference |= UInt(byte ^ other)
    }
    return difference == 0
  }
}

extension AccessToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "(secret)" }
  package var debugDescription: String { self.description }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
