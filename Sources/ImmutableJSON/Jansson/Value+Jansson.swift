package import CJansson

extension Value {
  /// Makes a value of jansson's. O(n).
  ///
  /// - Throws: ``JSONReadError`` if it is beyond ``ValueLimits``, as one is that contains itself, or
  ///   if a key has U+0000 in it or is not UTF-8.
  package init(jansson json: UnsafePointer<json_t>) throws(JSONReadError) {
    self = try JanssonReader().read(UnsafeMutablePointer(mutating: json))
  }

  /// Makes a value of jansson's, owned by the caller; `nil` if there is no memory. O(n).
  package func makeJansson() -> UnsafeMutablePointer<json_t>? {
    guard let root = self.makeJanssonWithoutParts() else { return nil }
    var outer: [JanssonWriter] = []
    var writer = JanssonWriter(self, root)
    while true {
      guard let (leaf, slot) = writer.cursor.current else {
        guard let next = outer.popLast() else { return root }
        writer = next
        continue
      }
      writer.cursor.advance()
      let value = leaf.value(at: slot)
      // Freed by what it is put into, or by a failure to.
      let json = value.makeJanssonWithoutParts()
      guard writer.append(json, leaf.keys, slot), let json else {
        json_decref(root)
        return nil
      }
      let nested = JanssonWriter(value, json)
      if !nested.cursor.isAtEnd {
        outer.append(writer)
        writer = nested
      }
    }
  }

  /// A scalar, or an empty array or object.
  private func makeJanssonWithoutParts() -> UnsafeMutablePointer<json_t>? {
    switch self {
    case .null: json_null()
    case .bool(let value): value ? json_true() : json_false()
    case .integer(let value): json_integer(value)
    case .real(let value): json_real(value)
    case .string(var value):
      value.withUTF8 { json_stringn_nocheck($0.baseAddress, $0.count) }
    case .array: json_array()
    case .object: json_object()
    }
  }
}
