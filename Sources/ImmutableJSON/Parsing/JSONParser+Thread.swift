#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension JSONParser {
  /// The maximum capacity of ``unescaped`` that a parser retains for the next text, in bytes.
  static var maxRetainedBytes: Int { 4096 }

  /// Returns the parser of this thread, for exclusive use until ``release()``.
  static func acquire() -> JSONParser {
    // A process has only 1,024 keys. Without one, each text has a new parser.
    guard let key = self.key else { return JSONParser() }
    guard let own = pthread_getspecific(key) else { return self.makeForThread(key) }
    let parser = Unmanaged<JSONParser>.fromOpaque(own).takeUnretainedValue()
    guard !parser.isBusy else { return JSONParser() }
    parser.isBusy = true
    return parser
  }

  private static func makeForThread(_ key: pthread_key_t) -> JSONParser {
    let parser = JSONParser()
    parser.isBusy = true
    pthread_setspecific(key, Unmanaged.passRetained(parser).toOpaque())
    return parser
  }

  /// Resets the parser for the next text of its thread.
  func release() {
    self.reset()
    self.isBusy = false
  }

  private func reset() {
    self.values.reset()
    self.keys.reset()
    self.containers.reset()
    if self.unescaped.capacity > Self.maxRetainedBytes {
      self.unescaped = []
    }
    if !self.builders.isEmpty {
      self.builders.removeAll()
    }
    if !self.unescapedKeys.isEmpty {
      for key in self.unescapedKeys {
        key.deallocate()
      }
      self.unescapedKeys.removeAll()
    }
  }

  /// The thread-specific key of a thread's parser.
  private static let key: pthread_key_t? = {
    var key = pthread_key_t()
    let error = pthread_key_create(&key) { parser in
      #if canImport(Darwin)
        Unmanaged<JSONParser>.fromOpaque(parser).release()
      #else
        parser.map { Unmanaged<JSONParser>.fromOpaque($0).release() }
      #endif
    }
    return error == 0 ? key : nil
  }()
}
