import CImmutableData
import StateEngine

@_cdecl("imd_store_set_trace") @implementation
public func imd_store_set_trace(
  _ store: OpaquePointer?,
  _ function: imd_trace?, _ context: UnsafeMutableRawPointer?,
  _ release: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?,
  _ error: UnsafeMutablePointer<imd_error>?
) -> imd_status {
  attempt(error) { () throws(EngineError) in
    let store = try borrowStore(store, for: .use)
    guard let function else {
      try store.removeTrace()
      return releaseContext(context, release)
    }
    let trace = CFunction(function, context, release)
    try store.setTrace(release: trace.callRelease) { line in
      withExtendedLifetime(line) {
        let text = UnsafeRawPointer(line.start).assumingMemoryBound(to: CChar.self)
        trace.function(trace.context, text, line.count)
      }
    }
  }
}
