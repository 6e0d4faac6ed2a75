import CImmutableData
import ImmutableJSON
import StateEngine

/// Runs the body of an exported function that returns text, owned by the caller.
func returnOwned(
  _ out: Out<UnsafeMutablePointer<CChar>?>, _ outLength: Out<Int>, _ error: Out<imd_error>,
  _ body: () throws -> Text
) -> imd_status {
  returnOwnedText(out, outLength, error) { try body().owned }
}

/// The same for a text that is owned already.
func returnOwnedText(
  _ out: Out<UnsafeMutablePointer<CChar>?>, _ outLength: Out<Int>, _ error: Out<imd_error>,
  _ body: () throws -> OwnedText
) -> imd_status {
  out?.pointee = nil
  outLength?.pointee = 0
  return attempt(error) {
    // First, because it may find that the call is not allowed at all.
    let text = try body()
    if out == nil { Text.release(at: text.start) }
    try required(out, "out").pointee = text.pointer
    outLength?.pointee = text.count
  }
}

/// Runs the body of an exported function that returns a value, owned by the caller.
func returnOwned(
  _ out: Out<OpaquePointer?>, _ error: Out<imd_error>, _ body: () throws -> Value
) -> imd_status {
  out?.pointee = nil
  return attempt(error) {
    let value = try body()
    try required(out, "out").pointee = ValueHandle.create(value)
  }
}

extension OwnedText {
  var pointer: UnsafeMutablePointer<CChar> {
    self.start.assumingMemoryBound(to: CChar.self)
  }
}

/// Returns a copy of bytes, owned by the caller.
func ownedCopy(of bytes: UnsafeRawBufferPointer) -> UnsafeMutablePointer<CChar> {
  Text.copy(bytes).assumingMemoryBound(to: CChar.self)
}
