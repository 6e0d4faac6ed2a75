internal import CJSONThreadRecord

extension JSONParser {
  /// Takes the parser of this thread, for use until ``release()``.
  static func acquire() -> JSONParser {
    guard let own = json_thread_record_current().pointee.parser.take() else { return JSONParser() }
    return Unmanaged<JSONParser>.fromOpaque(own).takeRetainedValue()
  }

  /// Resets the parser, and keeps it for the next text of its thread.
  func release() {
    self.reset()
    let record = json_thread_record_current()
    guard record.pointee.parser == nil, !record.pointee.has_ended else { return }
    if !record.pointee.ends_at_exit {
      record.pointee.ends_at_exit = true
      json_thread_record_at_exit { JSONParser.endThread($0) }
    }
    record.pointee.parser = Unmanaged.passRetained(self).toOpaque()
  }

  /// Releases the parser of a thread that exits. What the thread parses afterwards, in functions
  /// that it calls at its exit, has a new parser each time.
  private static func endThread(_ record: UnsafeMutableRawPointer?) {
    guard let record = record?.assumingMemoryBound(to: json_thread_record.self) else { return }
    record.pointee.has_ended = true
    guard let parser = record.pointee.parser.take() else { return }
    Unmanaged<JSONParser>.fromOpaque(parser).release()
  }

  private func reset() {
    self.values.reset()
    self.keys.reset()
    self.containers.reset()
    self.unescaped.reset()
    if !self.builders.isEmpty {
      self.builders.removeAll()
    }
    self.unescapedKeys.removeAll()
  }
}
