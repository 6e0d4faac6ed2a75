import CImmutableData
import ImmutableData
import ImmutableJSON
import StateEngine
import Threading

@_cdecl("imd_store_stream") @implementation
public func imd_store_stream(
  _ store: OpaquePointer?, _ options: UnsafePointer<CChar>?, _ length: Int,
  _ out: Out<OpaquePointer?>, _ error: Out<imd_error>
) -> imd_status {
  out?.pointee = nil
  return attempt(error) {
    let store = try stores.enter(store, .makeStream).store
    let out = try required(out, "out")
    let options = try StreamOptions(optionalValue(options, length, .options) ?? [:])
    out.pointee = streams.create(try store.makeStream(options))
  }
}

@_cdecl("imd_stream_next") @implementation
public func imd_stream_next(
  _ stream: OpaquePointer?, _ timeout: CInt, _ action: Out<OpaquePointer?>,
  _ oldState: Out<OpaquePointer?>, _ newState: Out<OpaquePointer?>, _ error: Out<imd_error>
) -> imd_status {
  action?.pointee = nil
  oldState?.pointee = nil
  newState?.pointee = nil
  return attempt(error) {
    let stream = try streams.borrow(stream)
    let milliseconds = timeout < 0 ? nil : timeout
    let element = try element(of: stream.next(milliseconds: milliseconds), timeout)
    // All before the first handle: encoding can fail.
    let json = action == nil ? nil : try element.action
    let old = oldState == nil ? nil : try element.oldState
    let new = newState == nil ? nil : try element.newState
    action?.pointee = json.map(ValueHandle.create)
    oldState?.pointee = old.map(ValueHandle.create)
    newState?.pointee = new.map(ValueHandle.create)
  }
}

/// The element that was read; throws if there was none.
private func element(
  of result: StreamResult<ActionStream.Element>, _ timeout: CInt
) throws(EngineError) -> ActionStream.Element {
  switch result {
  case .element(let element): return element
  case .timedOut:
    throw EngineError(
      .timeout,
      CallScope.isInsideCallback
        ? "no action is available, and a callback does not wait for one"
        : "no action came within \(timeout) ms")
  case .ended:
    throw EngineError(
      .closed,
      "the stream has ended: it was closed, or its store was; no more actions will come")
  case .overflowed(let capacity):
    throw EngineError(.limit, StreamOverflow(capacity: capacity).description)
  }
}

@_cdecl("imd_stream_dropped") @implementation
public func imd_stream_dropped(
  _ stream: OpaquePointer?, _ out: Out<Int>, _ error: Out<imd_error>
) -> imd_status {
  out?.pointee = 0
  return attempt(error) { try required(out, "out").pointee = streams.borrow(stream).dropped }
}

@_cdecl("imd_stream_fd") @implementation
public func imd_stream_fd(
  _ stream: OpaquePointer?, _ out: Out<CInt>, _ error: Out<imd_error>
) -> imd_status {
  out?.pointee = -1
  return attempt(error) { try required(out, "out").pointee = streams.borrow(stream).descriptor }
}

@_cdecl("imd_stream_close") @implementation
public func imd_stream_close(_ stream: OpaquePointer?) {
  if streams.find(stream)?.close() == true {
    _ = streams.remove(stream)
  }
}
