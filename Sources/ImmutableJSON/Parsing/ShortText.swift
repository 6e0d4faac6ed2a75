internal import CScan
internal import CSpinLock

/// A short JSON text that was checked, and whose values are read where they are. Most actions are
/// read once and then forgotten: they never become trees.
///
/// ```
///   {"type":"set","payload":{"id":"k1"}}        tokens: object, key, string, key, object, key, …
/// ```
///
/// Immutable.
package struct ShortText: @unchecked Sendable {
  private let memory: ManagedBuffer<Header, UInt64>

  private struct Header {
    /// The size of the text, which follows the tokens.
    let size: Int
    var tokenCount = 0
    /// The parsed value, once it was needed. Guarded by a lock of `CSpinLock`.
    var value: Value?
  }
}

extension ShortText {
  /// Copies a text; `nil` for one that is not JSON, or that must be parsed by the whole parser.
  package static func make(_ text: UnsafeRawBufferPointer) -> ShortText? {
    guard let start = text.baseAddress, self.canMake(text) else { return nil }
    let words = (Self.textOffset + text.count) / MemoryLayout<UInt64>.stride + 1
    let copy = ShortText(memory: .create(minimumCapacity: words) { _ in Header(size: text.count) })
    return copy.withMemory { header, tokens, bytes in
      bytes.copyMemory(from: start, byteCount: text.count)
      header.pointee.tokenCount = Int(scan_tokens(bytes, text.count, tokens))
      return header.pointee.tokenCount > 0 ? copy : nil
    }
  }

  /// Whether a text is short, and nothing as short exceeds ``ValueLimits``, also in an array.
  package static func canMake(_ text: UnsafeRawBufferPointer) -> Bool {
    // Numbers may be longer when they are written.
    text.count <= SCAN_MAX_TEXT && ValueLimits.values > Int(SCAN_MAX_TEXT)
      && ValueLimits.text > 8 * Int(SCAN_MAX_TEXT)
  }
}

// MARK: Reading

extension ShortText {
  /// The whole text as a value. Parsed once.
  package var value: Value {
    if let value = self.withLock({ $0 }) { return value }
    let new = self.parse(self.bytes)
    return self.withLock { value in
      if let value { return value }
      value = new
      return new
    }
  }

  /// The value at a JSON Pointer; `nil` if there is none, and for a pointer with an escape.
  package func get(_ pointer: UnsafeRawBufferPointer) -> Value? {
    self.find(pointer).map(self.value)
  }

  /// Calls `body` with the bytes of the string at a JSON Pointer; returns `nil` if there is none,
  /// and for a pointer with an escape.
  package func withString<Result>(
    at pointer: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result? {
    guard let token = self.find(pointer), token.kind == UInt8(SCAN_STRING.rawValue) else {
      return nil
    }
    return withExtendedLifetime(self.memory) { body(self.bytes(of: token)) }
  }

  /// Calls `body` with the key and the string of each member of the whole text, which must be an
  /// object. The string is `nil` for another value.
  ///
  /// - Returns: Whether it is an object, and `body` returned `true` for each member.
  package func allMembers(
    _ body: (_ key: UnsafeRawBufferPointer, _ string: UnsafeRawBufferPointer?) -> Bool
  ) -> Bool {
    self.withTokens { tokens in
      tokens[0].kind == UInt8(SCAN_OBJECT.rawValue)
        && self.allChildren(of: 0, tokens) { key, value in
          let isString = tokens[value].kind == UInt8(SCAN_STRING.rawValue)
          return body(self.bytes(of: tokens[key]), isString ? self.bytes(of: tokens[value]) : nil)
        }
    }
  }

  private func find(_ pointer: UnsafeRawBufferPointer) -> scan_token? {
    self.withTokens { tokens in
      var found = 0
      var rest = pointer
      while let name = rest.takeToken() {
        guard let next = self.child(name, of: found, tokens) else { return nil }
        found = next
      }
      return rest.isEmpty ? tokens[found] : nil
    }
  }

  private func child(
    _ name: UnsafeRawBufferPointer, of parent: Int, _ tokens: UnsafeBufferPointer<scan_token>
  ) -> Int? {
    var found: Int?
    switch tokens[parent].kind {
    case UInt8(SCAN_OBJECT.rawValue):
      // Of repeated keys the last one counts.
      _ = self.allChildren(of: parent, tokens) { key, value in
        if self.bytes(of: tokens[key]).hasSameBytes(as: name) { found = value }
        return true
      }
    case UInt8(SCAN_ARRAY.rawValue):
      guard var index = name.decimalIndex else { return nil }
      _ = self.allChildren(of: parent, tokens) { _, element in
        if index == 0 { found = element }
        index -= 1
        return index >= 0
      }
    default: break
    }
    return found
  }

  /// Calls `body` with the tokens of each member, or with those of each element, twice the same.
  @inline(__always)
  private func allChildren(
    of parent: Int, _ tokens: UnsafeBufferPointer<scan_token>,
    _ body: (_ key: Int, _ value: Int) -> Bool
  ) -> Bool {
    let isObject = tokens[parent].kind == UInt8(SCAN_OBJECT.rawValue)
    var next = parent + 1
    while next < Int(tokens[parent].next) {
      let value = isObject ? next + 1 : next
      guard body(next, value) else { return false }
      next = Int(tokens[value].next)
    }
    return true
  }

  private func value(_ token: scan_token) -> Value {
    let bytes = self.bytes(of: token)
    guard token.kind == UInt8(SCAN_STRING.rawValue) else { return self.parse(bytes) }
    return .string(String(decoding: bytes, as: UTF8.self))
  }

  private func parse(_ text: UnsafeRawBufferPointer) -> Value {
    // The text was checked.
    withExtendedLifetime(self.memory) { (try? Value(written: text)) ?? .null }
  }
}

// MARK: Memory

extension ShortText {
  private static var textOffset: Int {
    Int(SCAN_MAX_TOKENS) * MemoryLayout<scan_token>.stride
  }

  private func withMemory<Result>(
    _ body: (
      UnsafeMutablePointer<Header>, UnsafeMutablePointer<scan_token>, UnsafeMutableRawPointer
    ) -> Result
  ) -> Result {
    self.memory.withUnsafeMutablePointers { header, words in
      let memory = UnsafeMutableRawPointer(words)
      return body(
        header, memory.assumingMemoryBound(to: scan_token.self), memory + Self.textOffset)
    }
  }

  private func withTokens<Result>(
    _ body: (UnsafeBufferPointer<scan_token>) -> Result
  ) -> Result {
    self.withMemory { header, tokens, _ in
      body(UnsafeBufferPointer(start: tokens, count: header.pointee.tokenCount))
    }
  }

  /// Valid while this lives.
  private var bytes: UnsafeRawBufferPointer {
    self.withMemory { header, _, text in
      UnsafeRawBufferPointer(start: text, count: header.pointee.size)
    }
  }

  /// Valid while this lives.
  private func bytes(of token: scan_token) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: self.bytes[Int(token.start)..<Int(token.end)])
  }

  private func withLock<Result>(_ body: (inout Value?) -> Result) -> Result {
    // Their addresses are multiples of 16.
    let lock = UInt8(truncatingIfNeeded: UInt(bitPattern: ObjectIdentifier(self.memory)) >> 4)
    spinlock_lock(lock)
    defer { spinlock_unlock(lock) }
    return self.memory.withUnsafeMutablePointerToHeader { body(&$0.pointee.value) }
  }
}
