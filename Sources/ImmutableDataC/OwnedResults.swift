import CImmutableData
import ImmutableJSON
import StateEngine

/// Runs the body of an exported function that returns text, owned by the caller.
func returnOwned(
  _ out: Out<UnsafeMutablePointer<CChar>?>, _ outLength: Out<Int>, _ error: Out<imd_error>,
  _ body: () throws -> Text
) -> imd_status {
  out?.pointee = nil
  outLength?.pointee = 0
  return attempt(error) {
    let text = try body()
    try required(out, "out").pointee = ownedPointer(to: text)
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

/// Returns a new reference to a text, owned by the caller.
func ownedPointer(to text: Text) -> UnsafeMutablePointer<CChar> {
  _ = Unmanaged.passRetained(text)
  return UnsafeMutableRawPointer(text.start).assumingMemoryBound(to: CChar.self)
}

/// Returns a copy of bytes, owned by the caller.
func ownedCopy(of bytes: UnsafeRawBufferPointer) -> UnsafeMutablePointer<CChar> {
  Text.copy(bytes).assumingMemoryBound(to: CChar.self)
}
