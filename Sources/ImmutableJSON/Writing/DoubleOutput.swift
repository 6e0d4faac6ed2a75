/// Takes the text of a double without making a string of it.
struct DoubleOutput: TextOutputStream {
  /// Room for the longest: `-2.2250738585072014e-308` has 24 bytes.
  var bytes: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
  private(set) var count = 0

  mutating func write(_ string: String) {
    var string = string
    string.withUTF8 { self.append(UnsafeRawBufferPointer($0)) }
  }

  /// What numbers write to; the standard library offers it to every stream of text.
  mutating func _writeASCII(_ buffer: UnsafeBufferPointer<UInt8>) {
    self.append(UnsafeRawBufferPointer(buffer))
  }

  private mutating func append(_ text: UnsafeRawBufferPointer) {
    withUnsafeMutableBytes(of: &self.bytes) { bytes in
      let room = UnsafeMutableRawBufferPointer(rebasing: bytes[self.count...])
      let text = UnsafeRawBufferPointer(rebasing: text.prefix(room.count))
      room.copyMemory(from: text)
      self.count += text.count
    }
  }
}
