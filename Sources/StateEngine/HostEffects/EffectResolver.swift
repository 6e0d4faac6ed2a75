import ImmutableJSON
import Threading

/// Ends an effect of the program with a typed result.
public struct EffectResolver<Output: Encodable & Sendable>: Sendable {
  public let task: EffectTask

  /// Ends the effect with its result.
  ///
  /// - Throws: ``EngineError``: `closed` if the effect has ended; `limit` if the result is too
  ///   large.
  public func resolve(_ output: Output) throws(EngineError) {
    try self.task.resolve(encoding: output)
  }

  /// Ends the effect without a result.
  ///
  /// - Throws: ``EngineError``: `closed` if the effect has ended.
  public func reject(_ reason: String) throws(EngineError) {
    try self.task.reject(reason)
  }
}

extension EffectResolver<NoValue> {
  /// Ends an effect that has no result.
  ///
  /// - Throws: ``EngineError``: `closed` if the effect has ended.
  public func resolve() throws(EngineError) {
    try self.task.resolve()
  }
}

extension HostEffects {
  /// Sets the function that performs an effect, with decoded arguments. Arguments that cannot be
  /// decoded reject the effect.
  public func set<Arguments, Output>(
    _ effect: HostEffect<Arguments, Output>, release: @escaping @Sendable () -> Void = {},
    _ function: @escaping @Sendable (Arguments, EffectResolver<Output>) -> Void
  ) {
    self.set(effect.name, release: release) { task in
      do {
        function(try task.arguments.decode(), EffectResolver(task: task))
      } catch {
        try? task.reject(
          "the effect \(quoted(effect.name)): \(reason(error, in: "arguments"))")
      }
    }
  }
}
