import CImmutableData
import ImmutableJSON
import StateEngine

@_cdecl("imd_value_get") @implementation
public func imd_value_get(
  _ value: OpaquePointer?, _ pointer: UnsafePointer<CChar>?, _ out: Out<OpaquePointer?>,
  _ error: Out<imd_error>
) -> imd_status {
  returnOwned(out, error) { try part(value, pointer) }
}

@_cdecl("imd_value_get_bool") @implementation
public func imd_value_get_bool(
  _ value: OpaquePointer?, _ pointer: UnsafePointer<CChar>?, _ out: Out<CInt>,
  _ error: Out<imd_error>
) -> imd_status {
  scalar(value, pointer, out, error, "a boolean") { part in
    if case .bool(let boolean) = part { boolean ? 1 : 0 } else { nil }
  }
}

@_cdecl("imd_value_get_integer") @implementation
public func imd_value_get_integer(
  _ value: OpaquePointer?, _ pointer: UnsafePointer<CChar>?, _ out: Out<Int64>,
  _ error: Out<imd_error>
) -> imd_status {
  scalar(value, pointer, out, error, "an integer") { part in
    if case .integer(let integer) = part { integer } else { nil }
  }
}

@_cdecl("imd_value_get_real") @implementation
public func imd_value_get_real(
  _ value: OpaquePointer?, _ pointer: UnsafePointer<CChar>?, _ out: Out<Double>,
  _ error: Out<imd_error>
) -> imd_status {
  scalar(value, pointer, out, error, "a number") { part in
    switch part {
    case .real(let real): real
    case .integer(let integer): Double(nearest: integer)
    default: nil
    }
  }
}

@_cdecl("imd_value_get_string") @implementation
public func imd_value_get_string(
  _ value: OpaquePointer?, _ pointer: UnsafePointer<CChar>?,
  _ out: Out<UnsafeMutablePointer<CChar>?>, _ outLength: Out<Int>, _ error: Out<imd_error>
) -> imd_status {
  out?.pointee = nil
  outLength?.pointee = 0
  return attempt(error) {
    let out = try required(out, "out")
    try withString(value, pointer) { bytes in
      out.pointee = ownedCopy(of: bytes)
      outLength?.pointee = bytes.count
    }
  }
}

@_cdecl("imd_value_view_string") @implementation
public func imd_value_view_string(
  _ value: OpaquePointer?, _ pointer: UnsafePointer<CChar>?, _ out: Out<UnsafePointer<CChar>?>,
  _ outLength: Out<Int>, _ error: Out<imd_error>
) -> imd_status {
  out?.pointee = nil
  outLength?.pointee = 0
  return attempt(error) {
    let out = try required(out, "out")
    let viewed = try ValueHandle.text(of: value, at: bytes(ofPointer: pointer)) {
      var text: Text?
      try withString(value, pointer) { text = Text.make($0) }
      return try required(text, "text")
    }
    out.pointee = UnsafeRawPointer(viewed.start).assumingMemoryBound(to: CChar.self)
    outLength?.pointee = viewed.count
  }
}

@_cdecl("imd_value_read") @implementation
public func imd_value_read(
  _ value: OpaquePointer?, _ pointer: UnsafePointer<CChar>?, _ out: Out<imd_content>,
  _ error: Out<imd_error>
) -> imd_status {
  out?.pointee = imd_content()
  return attempt(error) {
    let out = try required(out, "out")
    out.pointee = imd_content(owned: try part(value, pointer))
  }
}

extension imd_content {
  /// Converts a value. The caller owns the text or handle in it.
  fileprivate init(owned value: Value) {
    self.init()
    self.kind = value.kind
    switch value {
    case .null:
      break
    case .bool(let boolean):
      self.as.boolean = boolean ? 1 : 0
    case .integer(let integer):
      self.as.integer = integer
    case .real(let real):
      self.as.real = real
    case .string(var string):
      string.withUTF8 { bytes in
        self.count = bytes.count
        self.as.string = ownedCopy(of: UnsafeRawBufferPointer(bytes))
      }
    case .array(let array):
      self.count = array.count
      self.as.value = ValueHandle.create(value)
    case .object(let object):
      self.count = object.count
      self.as.value = ValueHandle.create(value)
    }
  }
}

/// Returns the value at a pointer.
private func part(
  _ value: OpaquePointer?, _ pointer: UnsafePointer<CChar>?
) throws -> Value {
  if let bytes = fastPathBytes(of: pointer), let found = try ValueHandle.get(value, bytes) {
    return found
  }
  let value = try ValueHandle.borrow(value, "value")
  return try pointer == nil ? value : value.get(jsonPointer(pointer))
}

/// Calls `body` once, with the bytes of the string at a pointer.
private func withString(
  _ value: OpaquePointer?, _ pointer: UnsafePointer<CChar>?,
  _ body: (UnsafeRawBufferPointer) -> Void
) throws {
  if let bytes = fastPathBytes(of: pointer),
    try ValueHandle.withShortString(of: value, at: bytes, body)
  {
    return
  }
  let part = try part(value, pointer)
  guard case .string(var string) = part else { throw mismatch(part, "a string", pointer) }
  string.withUTF8 { body(UnsafeRawBufferPointer($0)) }
}

private func scalar<Scalar: Numeric>(
  _ value: OpaquePointer?, _ pointer: UnsafePointer<CChar>?, _ out: Out<Scalar>,
  _ error: Out<imd_error>, _ kind: String, _ convert: (Value) -> Scalar?
) -> imd_status {
  out?.pointee = 0
  return attempt(error) {
    let out = try required(out, "out")
    let part = try part(value, pointer)
    guard let scalar = convert(part) else { throw mismatch(part, kind, pointer) }
    out.pointee = scalar
  }
}

private func mismatch(
  _ part: Value, _ kind: String, _ pointer: UnsafePointer<CChar>?
) -> EngineError {
  let path = pointer.map { String(cString: $0) } ?? ""
  let found = part.kindOrNumber
  return EngineError(
    .invalidArgument,
    path.isEmpty
      ? "the value is \(found), not \(kind)"
      : "expected \(kind) at \(quoted(path)), found \(found)")
}
