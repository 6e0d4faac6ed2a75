import StateEngine

/// Dispatch and select with JSON text.
extension AnyStore {
  func dispatch(_ text: String) throws(EngineError) {
    try Array(text.utf8).withUnsafeBytes { bytes in
      Result { () throws(EngineError) in try self.dispatch(json: bytes) }
    }.get()
  }

  func dispatchBatch(_ text: String) throws(EngineError) {
    try Array(text.utf8).withUnsafeBytes { bytes in
      Result { () throws(EngineError) in try self.dispatch(batchJSON: bytes) }
    }.get()
  }

  func select(_ name: String, _ text: String?) throws(EngineError) -> String {
    guard let text else {
      return try self.select(name, argumentsJSON: nil).description
    }
    let output = try Array(text.utf8).withUnsafeBytes { bytes in
      Result { () throws(EngineError) in try self.select(name, argumentsJSON: bytes) }
    }.get()
    return output.description
  }
}

/// The error that `body` throws.
func failure(_ body: () throws(EngineError) -> Void) -> EngineError? {
  do {
    try body()
    return nil
  } catch {
    return error
  }
}
