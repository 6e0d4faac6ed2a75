import CImmutableData
import ImmutableJSON
import StateEngine

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

// What comes in.

/// `IMD_ZERO_TERMINATED`, which is a cast that Swift does not import.
private let zeroTerminated = -1

/// A required text. A text longer than the input limit is refused before it is read.
func text(
  _ pointer: UnsafePointer<CChar>?, _ length: Int, _ name: String
) throws(EngineError) -> UnsafeRawBufferPointer {
  let start = try required(pointer, name)
  guard length == zeroTerminated || (0...Int(Int32.max)).contains(length) else {
    // Longer than any limit: it was negative before it became a size_t.
    throw EngineError(
      .limit,
      "the length of \(name), \(UInt(bitPattern: length)), is beyond \(Int32.max) bytes; "
        + "pass its number of bytes, or IMD_ZERO_TERMINATED")
  }
  let limit = ValueLimits.input
  let count = length == zeroTerminated ? strnlen(start, limit + 1) : length
  guard count <= limit else {
    throw EngineError(
      .limit, "\(name) has more than \(counted(limit, "byte")), which is the limit of input")
  }
  return UnsafeRawBufferPointer(start: start, count: count)
}

/// A text that may be left out.
func optionalText(
  _ pointer: UnsafePointer<CChar>?, _ length: Int, _ name: String
) throws(EngineError) -> UnsafeRawBufferPointer? {
  guard let pointer else { return nil }
  return try text(pointer, length, name)
}

/// A name: a C string of UTF-8.
func name(_ pointer: UnsafePointer<CChar>?, _ role: String) throws(EngineError) -> String {
  let utf8 = try text(pointer, zeroTerminated, role)
  guard let name = String(validating: utf8, as: UTF8.self) else {
    throw EngineError(.invalidArgument, "the \(role) is not UTF-8; pass it as UTF-8")
  }
  return name
}

/// The bytes of a C string.
func bytes(of pointer: UnsafePointer<CChar>) -> UnsafeRawBufferPointer {
  UnsafeRawBufferPointer(start: pointer, count: strlen(pointer))
}

/// A JSON Pointer: a C string; NULL is that of the whole value.
func jsonPointer(_ pointer: UnsafePointer<CChar>?) throws(EngineError) -> JSONPointer {
  guard let pointer, pointer.pointee != 0 else { return JSONPointer() }
  do {
    return try JSONPointer(name(pointer, "pointer"))
  } catch {
    throw EngineError(changing: error)
  }
}

/// A pointer that may not be NULL.
func required<Pointer>(_ pointer: Pointer?, _ name: String) throws(EngineError) -> Pointer {
  guard let pointer else {
    throw EngineError(.invalidArgument, "\(name) is NULL; it has to point to something")
  }
  return pointer
}

// What goes out.

/// Runs an exported function that hands out text, of which the caller will own a share.
func handOut(
  _ out: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
  _ outLength: UnsafeMutablePointer<Int>?,
  _ error: UnsafeMutablePointer<imd_error>?,
  _ body: () throws(EngineError) -> Text
) -> imd_status {
  out?.pointee = nil
  outLength?.pointee = 0
  return attempt(error) { () throws(EngineError) in
    let text = try body()
    try required(out, "out").pointee = handOut(text)
    outLength?.pointee = text.count
  }
}

/// A share of a text, which the caller will own.
func handOut(_ text: Text) -> UnsafeMutablePointer<CChar> {
  _ = Unmanaged.passRetained(text)
  return UnsafeMutableRawPointer(text.start).assumingMemoryBound(to: CChar.self)
}

/// Takes back the share of a text that was handed out.
func takeBack(_ text: UnsafeMutableRawPointer) {
  Unmanaged<Text>.fromOpaque(text - headerSize).release()
}

/// How far behind the address of a text its bytes begin: the same for every text.
private let headerSize: Int = {
  let text = Text.make([])
  return UnsafeRawPointer(text.start) - UnsafeRawPointer(Unmanaged.passUnretained(text).toOpaque())
}()

/// Runs an exported function that hands out a value, of which the caller will own a share.
func handOut(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<imd_error>?,
  _ body: () throws(EngineError) -> Value
) -> imd_status {
  out?.pointee = nil
  return attempt(error) { () throws(EngineError) in
    let value = try body()
    try required(out, "out").pointee = ValueHandle.create(value)
  }
}
