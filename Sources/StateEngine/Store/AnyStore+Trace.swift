import ImmutableJSON
import Threading

extension AnyStore {
  /// Sets the function that gets the lines of the trace. It replaces the previous one, and is
  /// called instead of writing to standard error or to the file that the option `trace` or the
  /// environment names.
  ///
  /// The trace shows what the option `trace` lists, or everything. Each line is a JSON object
  /// (`docs/debugging.md` lists its members). What the program asked to redact is replaced.
  ///
  /// - Parameters:
  ///   - release: Called once, when the function will not be called again. Not called if this
  ///     throws.
  ///   - function: Called where something happens: for an action after its commit, before effects
  ///     and observers; otherwise on any thread, also on several at once. It may use the store, but
  ///     a dispatch throws `reentrant`. What it does on its thread is not traced.
  /// - Throws: ``EngineError``: `closed`; `reentrant` in a reducer or selector of the store.
  public func setTrace(
    release: @escaping @Sendable () -> Void = {}, _ function: @escaping @Sendable (Text) -> Void
  ) throws(EngineError) {
    try self.enter(.use)
    self.tracer.use(
      Callback(
        { line in try? CallScope.current.pureFunction(.trace) { function(line) } },
        release: release))
  }

  /// Removes the function that gets the lines of the trace.
  public func removeTrace() throws(EngineError) {
    try self.enter(.use)
    self.tracer.use(nil)
  }
}
