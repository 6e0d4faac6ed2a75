import CImmutableData
import StateEngine

@_cdecl("imd_store_set_trace") @implementation
public func imd_store_set_trace(
  _ store: OpaquePointer?, _ function: imd_trace?, _ context: UnsafeMutableRawPointer?,
  _ release: ReleaseFunction?, _ error: Out<imd_error>
) -> imd_status {
  setFunction(of: store, function, context, release, error) {
    try $0.removeTrace()
  } _: { store, trace in
    try store.setTrace(release: trace.callRelease) { line in
      withExtendedLifetime(line) {
        let text = UnsafeRawPointer(line.start).assumingMemoryBound(to: CChar.self)
        trace.function(trace.context, text, line.count)
      }
    }
  }
}
