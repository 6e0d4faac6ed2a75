import CImmutableData
import ImmutableJSON
import StateEngine

@_cdecl("imd_cursor_open") @implementation
public func imd_cursor_open(
  _ value: OpaquePointer?, _ from: UnsafePointer<CChar>?, _ out: Out<OpaquePointer?>,
  _ error: Out<imd_error>
) -> imd_status {
  out?.pointee = nil
  return attempt(error) {
    let out = try required(out, "out")
    let value = try ValueHandle.borrow(value, "value")
    let cursor = try Cursor(value, from: from.map { try requiredName($0, "from_key") })
    out.pointee = OpaquePointer(Unmanaged.passRetained(cursor).toOpaque())
  }
}

@_cdecl("imd_cursor_next") @implementation
public func imd_cursor_next(
  _ cursor: OpaquePointer?, _ key: Out<UnsafePointer<CChar>?>, _ keyLength: Out<Int>,
  _ value: Out<OpaquePointer?>
) -> CInt {
  guard let cursor = Cursor.borrow(cursor), cursor.advance() else {
    key?.pointee = nil
    keyLength?.pointee = 0
    value?.pointee = nil
    return 0
  }
  key?.pointee = cursor.key.map { UnsafeRawPointer($0.start).assumingMemoryBound(to: CChar.self) }
  keyLength?.pointee = cursor.key?.count ?? 0
  value?.pointee = cursor.value
  return 1
}

@_cdecl("imd_cursor_close") @implementation
public func imd_cursor_close(_ cursor: OpaquePointer?) {
  guard let cursor else { return }
  Unmanaged<Cursor>.fromOpaque(UnsafeRawPointer(cursor)).release()
}

/// The object behind an `imd_cursor *`: its position, and the key and value that the program
/// borrows until the next call.
private final class Cursor {
  private enum Rest {
    case members(IteratorSequence<JSONObject.Iterator>)
    case elements(ValueSequence.Iterator)
  }

  private var rest: Rest

  private(set) var key: Text?
  private(set) var value: OpaquePointer?

  init(_ value: Value, from: String?) throws(EngineError) {
    switch (value, from) {
    case (.object(let object), let from):
      self.rest = .members(object.members(from: from ?? ""))
    case (.array(let array), nil):
      self.rest = .elements(array.makeIterator())
    case (.array, _?):
      throw EngineError(
        .invalidArgument, "an array has no keys to begin from; pass NULL as from_key")
    default:
      throw EngineError(
        .invalidArgument,
        "\(value.kindWithArticle) cannot be iterated; pass an array or an object")
    }
  }

  deinit {
    ValueHandle.endBorrow(self.value)
  }

  static func borrow(_ cursor: OpaquePointer?) -> Cursor? {
    cursor.map { Unmanaged.fromOpaque(UnsafeRawPointer($0)).takeUnretainedValue() }
  }

  func advance() -> Bool {
    ValueHandle.endBorrow(self.value)
    (self.key, self.value) = (nil, nil)
    switch self.rest {
    case .members(var members):
      guard let member = members.next() else { return false }
      self.rest = .members(members)
      self.key = Text.make(Array(member.key.utf8))
      self.value = ValueHandle.lend(member.value)
    case .elements(var elements):
      guard let element = elements.next() else { return false }
      self.rest = .elements(elements)
      self.value = ValueHandle.lend(element)
    }
    return true
  }
}
