internal import CJansson

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
    guard let keys else { return json_array_append_new(self.json, value) == 0 }
    return keys.withKey(at: slot) { key in
      let start = key.bytes.assumingMemoryBound(to: CChar.self).baseAddress
      return json_object_setn_new_nocheck(self.json, start, key.bytes.count, value) == 0
    }
  }
}
