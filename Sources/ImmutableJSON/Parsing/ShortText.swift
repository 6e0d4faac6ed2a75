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
    /// The parsed value, once it was needed. Guarded by a lock of `CSpinLock`. The first member:
    /// ThreadSanitizer takes a change of it for one of the first word.
    var value: Value?
    /// The size of the text, which follows the tokens.
    let size: Int
    let tokenCount: Int
  }
}

extension ShortText {
  /// Copies a text; `nil` for one that is not JSON, or that needs the whole parser.
  package static func make(_ text: UnsafeRawBufferPointer) -> ShortText? {
    guard self.canMake(text), var at = text.bindMemory(to: UInt8.self).baseAddress else {
      return nil
    }
    let end = at + text.count
    guard let short = self.scan(&at, end) else { return nil }
    skipWhitespace(&at, end)
    return at == end ? short : nil
  }

  /// Copies the elements of an array; `nil` unless each of them is such a text.
  package static func elements(of array: UnsafeRawBufferPointer) -> [ShortText]? {
    guard self.isWithinLimits(array), var at = array.bindMemory(to: UInt8.self).baseAddress else {
      return nil
    }
    let end = at + array.count
    var elements: [ShortText] = []
    // After the bracket, and after each comma.
    var separator = UInt8(ascii: "[")
    while true {
      skipWhitespace(&at, end)
      guard at < end, at.pointee == separator else { break }
      at += 1
      guard let element = self.scan(&at, end) else { return nil }
      elements.append(element)
      separator = UInt8(ascii: ",")
    }
    guard !elements.isEmpty, at < end, at.pointee == UInt8(ascii: "]") else { return nil }
    at += 1
    skipWhitespace(&at, end)
    return at == end ? elements : nil
  }

  private static func scan(
    _ at: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
  ) -> ShortText? {
    let maxTokens = Int(SCAN_MAX_TOKENS)
    return withUnsafeTemporaryAllocation(of: scan_token.self, capacity: maxTokens) { tokens in
      guard let start = tokens.baseAddress else { return nil }
      var size = 0
      let count = Int(scan_tokens(at, end - at, start, &size))
      guard count > 0 else { return nil }
      defer { at += size }
      return ShortText(copying: at, size, start, count: count)
    }
  }

  private init(
    copying text: UnsafePointer<UInt8>, _ size: Int,
    _ tokens: UnsafePointer<scan_token>, count: Int
  ) {
    let tokenSize = count * MemoryLayout<scan_token>.stride
    let words = (tokenSize + size + 7) / MemoryLayout<UInt64>.stride
    self.memory = .create(minimumCapacity: words) { _ in
      Header(size: size, tokenCount: count)
    }
    self.withMemory { _, copy, bytes in
      UnsafeMutableRawPointer(copy).copyMemory(from: tokens, byteCount: tokenSize)
      bytes.copyMemory(from: text, byteCount: size)
    }
  }

  /// Whether a text is short, and nothing as short exceeds ``ValueLimits``, also in an array.
  package static func canMake(_ text: UnsafeRawBufferPointer) -> Bool {
    text.count <= SCAN_MAX_TEXT && self.isWithinLimits(text)
  }

  private static func isWithinLimits(_ text: UnsafeRawBufferPointer) -> Bool {
    // Numbers may be longer when they are written, and an array around the text has two brackets.
    let bound = 8 * (text.count + 2)
    return ValueLimits.values > bound && ValueLimits.text > bound
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

  /// Calls `body` with the bytes of the string at a JSON Pointer, unless there is none, or the
  /// pointer has an escape.
  ///
  /// - Returns: Whether it was called.
  package func withString(
    at pointer: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void
  ) -> Bool {
    self.withMemory { _, tokens, text in
      guard let token = scan_find(tokens, text, pointer.baseAddress, pointer.count),
        token.pointee.kind == UInt8(SCAN_STRING.rawValue)
      else { return false }
      body(token.pointee.bytes(in: text))
      return true
    }
  }

  /// Calls `body` with the key and the string of each member of the whole text, which must be an
  /// object. The string is `nil` for another value.
  ///
  /// - Returns: Whether it is an object, and `body` returned `true` for each member.
  package func allMembers(
    _ body: (_ key: UnsafeRawBufferPointer, _ string: UnsafeRawBufferPointer?) -> Bool
  ) -> Bool {
    self.withMemory { header, tokens, text in
      guard tokens[0].kind == UInt8(SCAN_OBJECT.rawValue) else { return false }
      var key = 1
      while key < header.pointee.tokenCount {
        let value = tokens[key + 1]
        let isString = value.kind == UInt8(SCAN_STRING.rawValue)
        guard body(tokens[key].bytes(in: text), isString ? value.bytes(in: text) : nil) else {
          return false
        }
        key = Int(value.next)
      }
      return true
    }
  }

  /// A value in the text. Valid while the function runs that it was passed to.
  package struct Part {
    fileprivate let kind: UInt8
    fileprivate let bytes: UnsafeRawBufferPointer

    /// The bytes of a string; `nil` for another value.
    package var string: UnsafeRawBufferPointer? {
      self.kind == UInt8(SCAN_STRING.rawValue) ? self.bytes : nil
    }

    /// Whether this is a number without fraction and exponent.
    package var isInteger: Bool {
      self.kind == UInt8(SCAN_NUMBER.rawValue)
        && self.bytes.allSatisfy { $0 <= UInt8(ascii: "9") && $0 != UInt8(ascii: ".") }
    }

    /// The value, if it is no array or object.
    package var scalar: Value? {
      ShortText.scalar(self.kind, self.bytes)
    }
  }

  /// Calls `body` with the key and the value of each member of the object at a JSON Pointer.
  ///
  /// - Returns: Whether there is an object, and `body` returned `true` for each member.
  package func allMembers(
    at pointer: UnsafeRawBufferPointer, _ body: (_ key: KeyBytes, _ value: Part) -> Bool
  ) -> Bool {
    self.withMemory { header, tokens, text in
      let textEnd = UnsafePointer((text + header.pointee.size).assumingMemoryBound(to: UInt8.self))
      guard let object = scan_find(tokens, text, pointer.baseAddress, pointer.count),
        object.pointee.kind == UInt8(SCAN_OBJECT.rawValue)
      else { return false }
      var key = object + 1
      let end = UnsafePointer(tokens) + Int(object.pointee.next)
      while key < end {
        let value = key[1]
        let name = KeyBytes(
          key.pointee.bytes(in: text).assumingMemoryBound(to: UInt8.self), before: textEnd)
        guard body(name, Part(kind: value.kind, bytes: value.bytes(in: text))) else { return false }
        key = UnsafePointer(tokens) + Int(value.next)
      }
      return true
    }
  }

  private func find(_ pointer: UnsafeRawBufferPointer) -> scan_token? {
    self.withMemory { _, tokens, text in
      scan_find(tokens, text, pointer.baseAddress, pointer.count)?.pointee
    }
  }

  private func value(_ token: scan_token) -> Value {
    self.withMemory { _, _, text in self.value(token, token.bytes(in: text)) }
  }

  private func value(_ token: scan_token, _ bytes: UnsafeRawBufferPointer) -> Value {
    Self.scalar(token.kind, bytes) ?? self.parse(bytes)
  }

  /// - Returns: `nil` for an array or object.
  private static func scalar(_ kind: UInt8, _ bytes: UnsafeRawBufferPointer) -> Value? {
    switch kind {
    case UInt8(SCAN_STRING.rawValue):
      // The scan validated the bytes.
      let text = UTF8Span(unchecked: bytes.bindMemory(to: UInt8.self).span)
      return .string(String(copying: text))
    case UInt8(SCAN_NUMBER.rawValue):
      return bytes.withMemoryRebound(to: UInt8.self) { digits in
        guard let start = digits.baseAddress else { return .null }
        var number = scan_number_result()
        _ = scan_number(start, start + digits.count, &number)
        return number.kind == SCAN_INTEGER ? .integer(number.integer) : .real(number.real)
      }
    case UInt8(SCAN_WORD.rawValue):
      switch bytes.first {
      case UInt8(ascii: "t"): return true
      case UInt8(ascii: "f"): return false
      default: return .null
      }
    default: return nil
    }
  }

  private func parse(_ text: UnsafeRawBufferPointer) -> Value {
    // The text was checked.
    withExtendedLifetime(self.memory) { (try? Value(written: text)) ?? .null }
  }
}

// MARK: Memory

extension ShortText {
  private func withMemory<Result>(
    _ body: (
      UnsafeMutablePointer<Header>, UnsafeMutablePointer<scan_token>, UnsafeMutableRawPointer
    ) -> Result
  ) -> Result {
    self.memory.withUnsafeMutablePointers { header, words in
      let tokens = UnsafeMutableRawPointer(words).assumingMemoryBound(to: scan_token.self)
      return body(header, tokens, UnsafeMutableRawPointer(tokens + header.pointee.tokenCount))
    }
  }

  /// Valid while this lives.
  private var bytes: UnsafeRawBufferPointer {
    self.withMemory { header, _, text in
      UnsafeRawBufferPointer(start: text, count: header.pointee.size)
    }
  }

  private func withLock<Result>(_ body: (inout Value?) -> Result) -> Result {
    // Their addresses are multiples of 16.
    let lock = UInt8(truncatingIfNeeded: UInt(bitPattern: ObjectIdentifier(self.memory)) >> 4)
    spinlock_lock(lock)
    defer { spinlock_unlock(lock) }
    return self.memory.withUnsafeMutablePointerToHeader { body(&$0.pointee.value) }
  }
}

extension scan_token {
  fileprivate func bytes(in text: UnsafeMutableRawPointer) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: text + Int(self.start), count: Int(self.end &- self.start))
  }
}
