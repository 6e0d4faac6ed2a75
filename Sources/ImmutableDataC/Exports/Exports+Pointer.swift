import CImmutableData
import ImmutableJSON
import StateEngine

@_cdecl("imd_pointer") @implementation
public func imd_pointer(
  _ keys: UnsafePointer<UnsafePointer<CChar>?>?, _ count: Int,
  _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int, _ error: Out<imd_error>
) -> imd_status {
  let status = attempt(error) {
    let buffer = try required(buffer, "buffer")
    guard count >= 0, size >= 0 else {
      throw EngineError(.limit, "a count or size exceeds \(Int.max); pass the number of keys")
    }
    let keys = UnsafeBufferPointer(
      start: count == 0 ? nil : try required(keys, "keys"), count: count)
    var end = 0
    /// Appends a byte, or only counts it if it does not fit.
    func append(_ byte: UInt8) {
      if end < size - 1 { buffer[end] = CChar(bitPattern: byte) }
      end += 1
    }
    for key in keys {
      let key = try requiredText(key, zeroTerminated, "a key")
      guard key.allSatisfy({ $0 < 0x80 }) || String(validating: key, as: UTF8.self) != nil else {
        throw EngineError(.invalidArgument, "a key is not UTF-8; pass it as UTF-8")
      }
      append(UInt8(ascii: "/"))
      for byte in key {
        switch byte {
        case UInt8(ascii: "~"): "~0".utf8.forEach(append)
        case UInt8(ascii: "/"): "~1".utf8.forEach(append)
        default: append(byte)
        }
      }
    }
    guard end < size else {
      throw EngineError(
        .limit, "the pointer needs \(end + 1) bytes, but the buffer has \(size); pass a larger one")
    }
    buffer[end] = 0
  }
  if status != IMD_OK, size != 0 { buffer?.pointee = 0 }
  return status
}
