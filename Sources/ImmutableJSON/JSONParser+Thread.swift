#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension JSONParser {
  /// How much memory, in bytes, a parser keeps of one buffer from one text to the next.
  static var mostKept: Int { 4096 }

  /// The parser of this thread, which is empty, until it is given back.
  static func take() -> JSONParser {
    guard let parser = pthread_getspecific(self.key) else { return JSONParser() }
    pthread_setspecific(self.key, nil)
    return Unmanaged<JSONParser>.fromOpaque(parser).takeRetainedValue()
  }

  /// Empties the parser and leaves it to the thread for its next text.
  func giveBack() {
    self.reset()
    pthread_setspecific(Self.key, Unmanaged.passRetained(self).toOpaque())
  }

  private func reset() {
    self.values.reset()
    self.keys.reset()
    self.containers.reset()
    if !self.builders.isEmpty {
      self.builders.removeAll()
    }
    for key in self.unescapedKeys {
      key.deallocate()
    }
    self.unescapedKeys.removeAll()
  }

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key) { parser in
      #if canImport(Darwin)
        Unmanaged<JSONParser>.fromOpaque(parser).release()
      #else
        parser.map { Unmanaged<JSONParser>.fromOpaque($0).release() }
      #endif
    }
    return key
  }()
}
