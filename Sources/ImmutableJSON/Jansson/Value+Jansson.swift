package import CJanssonFunctions

extension Value {
  /// Converts a jansson value. O(n).
  ///
  /// - Throws: ``JSONParseError`` if the value exceeds ``ValueLimits``, which includes a value that
  ///   contains itself, if a key contains U+0000, or if a key or string is not UTF-8.
  package init(jansson json: UnsafePointer<json_t>) throws(JSONParseError) {
    self = try JanssonReader().read(UnsafeMutablePointer(mutating: json))
  }

  /// Returns a new jansson value, owned by the caller; `nil` if memory is exhausted. O(n).
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
      // `append` takes ownership of it, even if it fails.
      let json = value.makeJanssonWithoutParts()
      guard writer.append(json, leaf.keys, slot), let json else {
        jansson_decref(root)
        return nil
      }
      let nested = JanssonWriter(value, json)
      if !nested.cursor.isAtEnd {
        outer.append(writer)
        writer = nested
      }
    }
  }

  /// Returns a scalar, or an empty array or object.
  private func makeJanssonWithoutParts() -> UnsafeMutablePointer<json_t>? {
    switch self {
    case .null: bound.json_null()
    case .bool(let value): value ? bound.json_true() : bound.json_false()
    case .integer(let value): bound.json_integer(value)
    case .real(let value): bound.json_real(value)
    case .string(var value):
      value.withUTF8 { bound.json_stringn_nocheck($0.baseAddress, $0.count) }
    case .array: bound.json_array()
    case .object: bound.json_object()
    }
  }
}

/// A jansson array or object under construction.
struct JanssonWriter {
  let json: UnsafeMutablePointer<json_t>
  var cursor: NodeCursor

  init(_ value: Value, _ json: UnsafeMutablePointer<json_t>) {
    self.json = json
    self.cursor =
      switch value {
      case .array(let array): NodeCursor(array.root)
      case .object(let object): NodeCursor(object.root)
      default: NodeCursor(nil)
      }
  }

  /// Adds the value of a slot, and takes ownership of it.
  ///
  /// - Returns: Whether memory sufficed.
  func append(_ value: UnsafeMutablePointer<json_t>?, _ keys: KeyBlock?, _ slot: Int) -> Bool {
    guard let keys else { return bound.json_array_append_new(self.json, value) == 0 }
    return keys.withKey(at: slot) { key in
      let start = key.bytes.assumingMemoryBound(to: CChar.self).baseAddress
      return bound.json_object_setn_new_nocheck(self.json, start, key.bytes.count, value) == 0
    }
  }
}
