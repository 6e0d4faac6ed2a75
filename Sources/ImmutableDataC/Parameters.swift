import CImmutableData
import ImmutableJSON
import StateEngine
import Glibc

/// Where an exported function returns a result; NULL if the program does not need it.
public typealias Out<Result> = UnsafeMutablePointer<Result>?

/// `IMD_ZERO_TERMINATED` as a length of Swift, which is signed.
let zeroTerminated = -1

/// Returns the bytes of a required text. A text beyond the input limit is refused before it is
/// read.
func requiredText(
  _ pointer: UnsafePointer<CChar>?, _ length: Int, _ name: @autoclosure () -> String
) throws(EngineError) -> UnsafeRawBufferPointer {
  let start = try required(pointer, name())
  guard length == zeroTerminated || (0...Int(Int32.max)).contains(length) else {
    // Probably a negative number that was converted to size_t.
    throw EngineError(
      .limit,
      "the length of \(name()), \(UInt(bitPattern: length)), exceeds \(Int32.max) bytes; "
        + "pass its number of bytes, or IMD_ZERO_TERMINATED")
  }
  let limit = ValueLimits.input
  let count = length == zeroTerminated ? strnlen(start, limit + 1) : length
  guard count <= limit else { throw .inputLimit(name()) }
  return UnsafeRawBufferPointer(start: start, count: count)
}

/// Returns the bytes of a required JSON text.
func requiredJSON(
  _ pointer: UnsafePointer<CChar>?, _ length: Int, _ role: TextRole, named name: String? = nil
) throws(EngineError) -> UnsafeRawBufferPointer {
  let text = try requiredText(pointer, length, name ?? role.rawValue)
  guard length != 0 else {
    var error = EngineError(
      .invalidJSON,
      "\(role.subject) not JSON: the text is empty, because its length is 0; in C, pass "
        + "IMD_ZERO_TERMINATED for a C string")
    (error.line, error.column) = (1, 1)
    throw error
  }
  return text
}

/// Returns the bytes of a JSON text that may be NULL.
func optionalJSON(
  _ pointer: UnsafePointer<CChar>?, _ length: Int, _ role: TextRole
) throws(EngineError) -> UnsafeRawBufferPointer? {
  guard let pointer else { return nil }
  return try requiredJSON(pointer, length, role)
}

/// Parses JSON text that may be NULL.
func optionalValue(
  _ pointer: UnsafePointer<CChar>?, _ length: Int, _ role: TextRole
) throws(EngineError) -> Value? {
  guard let text = try optionalJSON(pointer, length, role) else { return nil }
  return try Value(reading: text, role)
}

/// Converts a name, which is a C string of UTF-8.
func requiredName(_ pointer: UnsafePointer<CChar>?, _ role: String) throws(EngineError) -> String {
  try String(name: bytes(of: required(pointer, role)), role)
}

/// Converts a required C string that others wrote, such as a system's message or a server's header.
/// Invalid UTF-8 in it is replaced.
func repairedText(
  _ pointer: UnsafePointer<CChar>?, _ name: String
) throws(EngineError) -> String {
  String(decoding: try requiredText(pointer, zeroTerminated, name), as: UTF8.self)
}

/// Returns the bytes of a C string.
func bytes(of pointer: UnsafePointer<CChar>) -> UnsafeRawBufferPointer {
  UnsafeRawBufferPointer(start: pointer, count: strlen(pointer))
}

/// Returns the bytes of a JSON Pointer. NULL is the whole value, as is an empty pointer.
func bytes(ofPointer pointer: UnsafePointer<CChar>?) -> UnsafeRawBufferPointer {
  pointer.map(bytes) ?? UnsafeRawBufferPointer(start: nil, count: 0)
}

/// Returns the bytes of a JSON Pointer for a fast path of ``Value``, which does not check the input
/// limit; `nil` for NULL, and for a pointer beyond the limit, which ``jsonPointer(_:)`` refuses.
func fastPathBytes(of pointer: UnsafePointer<CChar>?) -> UnsafeRawBufferPointer? {
  guard let pointer else { return nil }
  let bytes = bytes(of: pointer)
  return bytes.count <= ValueLimits.input ? bytes : nil
}

/// Parses a JSON Pointer, which is a C string. NULL is the whole value.
func jsonPointer(_ pointer: UnsafePointer<CChar>?) throws -> JSONPointer {
  guard let pointer, pointer.pointee != 0 else { return JSONPointer() }
  return try JSONPointer(requiredName(pointer, "pointer"))
}

/// Returns a pointer that must not be NULL.
func required<Pointer>(
  _ pointer: Pointer?, _ name: @autoclosure () -> String
) throws(EngineError) -> Pointer {
  guard let pointer else {
    throw EngineError(.invalidArgument, "\(name()) must not be NULL")
  }
  return pointer
}
