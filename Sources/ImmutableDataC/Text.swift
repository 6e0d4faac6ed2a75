import CImmutableData
import StateEngine

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

// Text in, text out.

/// `IMD_ZERO_TERMINATED`, which is a cast that Swift does not import.
private let zeroTerminated = -1

/// The longest text that is taken. Longer than any that is meant: a length that was negative
/// before it became a `size_t` is caught, not read.
private let longestText = Int(Int32.max)

/// A text that has to be there.
func text(
  _ pointer: UnsafePointer<CChar>?, _ length: Int, _ name: String
) throws(EngineError) -> UnsafeRawBufferPointer {
  let start = try required(pointer, name)
  let count = length == zeroTerminated ? strlen(start) : length
  guard (0...longestText).contains(count) else {
    throw EngineError(
      .limit,
      "the length of \(name), \(UInt(bitPattern: count)), is beyond \(longestText) bytes; "
        + "pass its number of bytes, or IMD_ZERO_TERMINATED")
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
  guard let name = String(validatingCString: try required(pointer, role)) else {
    throw EngineError(.invalidArgument, "the \(role) is not UTF-8; pass its name as UTF-8")
  }
  return name
}

/// A pointer that may not be NULL.
func required<Pointer>(_ pointer: Pointer?, _ name: String) throws(EngineError) -> Pointer {
  guard let pointer else {
    throw EngineError(.invalidArgument, "\(name) is NULL; it has to point to something")
  }
  return pointer
}

/// Runs an exported function that hands out text, which the caller will free.
func handOut(
  _ out: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
  _ outLength: UnsafeMutablePointer<Int>?,
  _ error: UnsafeMutablePointer<imd_error>?,
  _ body: () throws(EngineError) -> [UInt8]
) -> imd_status {
  out?.pointee = nil
  outLength?.pointee = 0
  return attempt(error) { () throws(EngineError) in
    let out = try required(out, "out")
    let bytes = try body()
    guard let text = malloc(bytes.count + 1) else {
      throw EngineError(.limit, "there is no memory for \(bytes.count) bytes of output")
    }
    bytes.withUnsafeBytes {
      text.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(text), byteCount: $0.count)
    }
    text.storeBytes(of: 0, toByteOffset: bytes.count, as: UInt8.self)
    out.pointee = text.assumingMemoryBound(to: CChar.self)
    outLength?.pointee = bytes.count
  }
}
