import CImmutableData
import ImmutableJSON
import StateEngine
import StateLog

@_cdecl("imd_register_log") @implementation
public func imd_register_log(
  _ scheme: UnsafePointer<CChar>?, _ driver: UnsafePointer<imd_log_driver>?,
  _ error: Out<imd_error>
) -> imd_status {
  attempt(error) {
    let scheme = try requiredName(scheme, "scheme")
    guard LogAddress.isScheme(scheme[...]) else {
      throw EngineError(
        .invalidArgument,
        "scheme: \(quoted(scheme)) does not begin with a lower-case letter, or has characters "
          + "other than lower-case letters, digits, \"+\", \"-\" and \".\"")
    }
    LogDrivers.register(try CLogDriver(required(driver, "driver").pointee), for: scheme)
  }
}

@_cdecl("imd_log_trim") @implementation
public func imd_log_trim(
  _ address: UnsafePointer<CChar>?, _ number: Out<Int64>, _ error: Out<imd_error>
) -> imd_status {
  number?.pointee = 0
  return attempt(error) {
    let last = try Log.trim(requiredName(address, "address"))
    number?.pointee = Int64(last)
  }
}

/// What a driver of the program calls. It is never freed.
nonisolated(unsafe) let logEngine: UnsafePointer<imd_log_engine> = {
  let engine = UnsafeMutablePointer<imd_log_engine>.allocate(capacity: 1)
  engine.initialize(
    to: imd_log_engine(
      answer: { call, answer in
        attempt(nil) { try logCalls.borrowCall(call).resolve(answer) }
      },
      changed: { watch, number in
        logWatches.find(watch)?.changed(Int(clamping: number))
      },
      hash: { before, text, length, after in
        guard let before, let after else { return }
        let next = LogHash(UnsafeRawBufferPointer(start: before, count: 32))
          .after(UnsafeRawBufferPointer(start: text, count: text == nil ? 0 : length))
        withUnsafeBytes(of: next.bytes) {
          UnsafeMutableRawBufferPointer(start: after, count: 32).copyMemory(from: $0)
        }
      }))
  return UnsafePointer(engine)
}()

extension HandleTable<CLogCall> {
  /// Returns the call of a handle, and closes the handle.
  fileprivate func borrowCall(_ handle: OpaquePointer?) throws(EngineError) -> CLogCall {
    if let call = self.remove(handle) { return call }
    try self.requireCreated(handle)
    throw EngineError(.closed, "the call was answered; answer each call once")
  }
}
