extension Value {
  /// The value as canonical JSON text: the same value gives the same bytes.
  ///
  /// Keys ascend by their UTF-8 bytes, numbers are the shortest that read back as the same number,
  /// there is no white space.
  public var json: String {
    String(decoding: self.utf8JSON, as: UTF8.self)
  }

  /// The bytes of ``json``. O(n).
  public var utf8JSON: [UInt8] {
    var bytes: [UInt8] = []
    bytes.write(self)
    return bytes
  }
}

extension Value: CustomStringConvertible {
  public var description: String {
    self.json
  }
}

extension [UInt8] {
  fileprivate mutating func write(_ value: Value) {
    switch value {
    case .null: self.append(ascii: "null")
    case .bool(let value): self.append(ascii: value ? "true" : "false")
    case .integer(let value): self.append(contentsOf: value.description.utf8)
    // JSON has no infinity and no NaN, and neither is ever read.
    case .real(let value): self.append(contentsOf: (value.isFinite ? "\(value)" : "null").utf8)
    case .string(var value): value.withUTF8 { self.write(string: UnsafeRawBufferPointer($0)) }
    case .array(let array): self.write(array.root, "[", "]")
    case .object(let object): self.write(object.root, "{", "}")
    }
  }

  private mutating func write(_ root: Node?, _ open: StaticString, _ close: StaticString) {
    self.append(ascii: open)
    var cursor = NodeCursor(root)
    while let (leaf, slot) = cursor.current {
      leaf.keys?.withKey(at: slot) { key in
        self.write(string: key.bytes)
        self.append(ascii: ":")
      }
      self.write(leaf.value(at: slot))
      cursor.advance()
      if !cursor.isAtEnd {
        self.append(ascii: ",")
      }
    }
    self.append(ascii: close)
  }

  private mutating func write(string: UnsafeRawBufferPointer) {
    self.append(ascii: "\"")
    var written = 0
    for (index, byte) in string.enumerated()
    where byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
      self.append(contentsOf: string[written..<index])
      self.append(escaped: byte)
      written = index + 1
    }
    self.append(contentsOf: string[written...])
    self.append(ascii: "\"")
  }

  private mutating func append(escaped byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): self.append(ascii: "\\\"")
    case UInt8(ascii: "\\"): self.append(ascii: "\\\\")
    case 0x08: self.append(ascii: "\\b")
    case 0x09: self.append(ascii: "\\t")
    case 0x0A: self.append(ascii: "\\n")
    case 0x0C: self.append(ascii: "\\f")
    case 0x0D: self.append(ascii: "\\r")
    default:
      self.append(ascii: "\\u00")
      self.append(hexDigit: byte >> 4)
      self.append(hexDigit: byte & 0xF)
    }
  }

  private mutating func append(ascii text: StaticString) {
    text.withUTF8Buffer { self.append(contentsOf: $0) }
  }

  private mutating func append(hexDigit digit: UInt8) {
    self.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + (digit - 10))
  }
}
