import CImmutableData
import ImmutableJSON
import StateEngine

/// Runs the body of an exported function that returns text, owned by the caller.
func returnOwned(
  _ out: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
  _ outLength: UnsafeMutablePointer<Int>?,
  _ error: UnsafeMutablePointer<imd_error>?,
  _ body: () throws(EngineError) -> Text
) -> imd_status {
  out?.pointee = nil
  outLength?.pointee = 0
  return attempt(error) { () throws(EngineError) in
    let text = try body()
    try required(out, "out").pointee = ownedPointer(to: text)
    outLength?.pointee = text.count
  }
}

/// Runs the body of an exported function that returns a value, owned by the caller.
func returnOwned(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<imd_error>?,
  _ body: () throws(EngineError) -> Value
) -> imd_status {
  out?.pointee = nil
  return attempt(error) { () throws(EngineError) in
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
