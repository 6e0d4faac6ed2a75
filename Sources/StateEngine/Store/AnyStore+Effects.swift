import ImmutableJSON
import Threading

extension AnyStore {
  /// Sets the function that performs the HTTP requests of effects. It replaces the previous one.
  ///
  /// - Parameters:
  ///   - release: Called once, when the function will not be called again. Not called if this
  ///     throws.
  ///   - fetch: Called on a thread of the engine, with one request at a time. It starts the request
  ///     and returns; any thread may answer.
  public func setFetch(
    release: @escaping @Sendable () -> Void = {}, _ fetch: @escaping @Sendable (FetchTask) -> Void
  ) throws(EngineError) {
    try self.enter(.use)
    self.fetcher.use(Callback(fetch, release: release))
  }

  /// Removes the function that performs requests.
  public func removeFetch() throws(EngineError) {
    try self.enter(.use)
    self.fetcher.use(nil)
  }

  /// Waits until no action of ``dispatchAsync(_:)`` waits, and no effect is in flight: the effects
  /// of all dispatched actions have run, and the actions that they dispatched have been reduced. An
  /// effect that the program performs is in flight until the program ends it.
  ///
  /// - Parameter milliseconds: The timeout; a negative number for none.
  /// - Throws: ``EngineError``: `timeout`; `closed`; `reentrant` inside a callback or an effect,
  ///   which could wait for itself.
  public func settle(milliseconds: Int32 = -1) throws(EngineError) {
    try self.enter(.use)
    try EffectQueue.refuseWaitInsideCallback()
    try self.laterDispatches.settle(milliseconds: milliseconds)
    try self.effects?.settle(milliseconds: milliseconds)
  }

  /// Copies the store's database to a new file, which appears when it is complete. The copy is one
  /// file, and needs no journal or log.
  ///
  /// Dispatches continue meanwhile. The copy has the changes that had been committed when it began.
  /// Changes of effects in flight may be missing; ``settle(milliseconds:)`` waits for them.
  ///
  /// - Throws: ``EngineError``: `invalidArgument` if the store has no database, or if there is a
  ///   file already; `io`, `corrupt`, `closed`; `reentrant` in a reducer of the store.
  public func backup(to path: String) throws(EngineError) {
    try self.enter(.use)
    guard let effects else { throw .noDatabase }
    try effects.backup(to: path)
  }

  /// Sets the function that performs the effects with a name. It replaces the previous one.
  ///
  /// - Parameters:
  ///   - name: The name of the effects.
  ///   - release: Called once, when the function will not be called again. Not called if this
  ///     throws.
  ///   - function: Called on a thread of the engine, for one effect at a time. It starts the effect
  ///     and returns; any thread may end the effect.
  /// - Throws: ``EngineError``: `closed`; `invalidArgument` if the name is empty, or if the store
  ///   is one of a domain that does not list it in its ``Domain/programEffects``.
  public func setEffect(
    _ name: String, release: @escaping @Sendable () -> Void = {},
    _ function: @escaping @Sendable (EffectTask) -> Void
  ) throws(EngineError) {
    try self.functions(for: name).set(
      name, release: release,
      self.strict?.timed("the function of the effect \(quoted(name))", function) ?? function)
  }

  /// Sets the function that performs an effect of a domain, with decoded arguments. Arguments that
  /// cannot be decoded reject the effect.
  public func setEffect<Arguments, Output>(
    _ effect: ProgramEffect<Arguments, Output>, release: @escaping @Sendable () -> Void = {},
    _ function: @escaping @Sendable (Arguments, EffectResolver<Output>) -> Void
  ) throws(EngineError) {
    try self.functions(for: effect.name).set(effect, release: release, function)
  }

  /// Removes the function that performs the effects with a name. Effects in flight can still be
  /// ended.
  public func removeEffect(_ name: String) throws(EngineError) {
    try self.functions(for: name).remove(name)
  }

  /// Sets the rule of a store with a reducer of the program. It replaces the previous one.
  ///
  /// - Parameters:
  ///   - release: Called once, when the rule will not be called again. Not called if this throws.
  ///   - rule: Returns the effects of an action. Called after each action, in the order of the
  ///     dispatches, one call at a time, with the states before and after the action. Must be quick
  ///     and have no side effects, because the dispatch waits for it. An error counts as a failed
  ///     effect. It cannot dispatch to any store: that throws `reentrant`, and counts as a failed
  ///     effect even if the rule ignores the error.
  /// - Throws: ``EngineError``: `closed`; `invalidArgument` for a store of a domain.
  public func setRule(
    release: @escaping @Sendable () -> Void = {},
    _ rule:
      @escaping @Sendable (_ action: Value, _ oldState: Value, _ newState: Value) throws ->
      [RequestedEffect]
  ) throws(EngineError) {
    try self.requireRules().use(
      Callback(
        { [strict] call in
          call.effects = Result {
            try CallScope.current.pureFunction(.rule) {
              let ask = { try rule(call.action, call.commit.oldState, call.commit.newState) }
              return try strict?.timing("the rule", ask) ?? ask()
            }
          }
        }, release: release))
  }

  /// Removes the rule. Effects in flight continue.
  public func removeRule() throws(EngineError) {
    try self.requireRules().use(nil)
  }

  /// Sets the function that is called when an effect has failed. It replaces the previous one.
  ///
  /// - Parameters:
  ///   - release: Called once, when the function will not be called again. Not called if this
  ///     throws.
  ///   - handler: Called on a thread of the engine, or on the one that closes the store, with one
  ///     error at a time.
  public func setEffectErrorHandler(
    release: @escaping @Sendable () -> Void = {},
    _ handler: @escaping @Sendable (EngineError) -> Void
  ) throws(EngineError) {
    try self.enter(.use)
    self.effectFailures.handler.use(Callback(handler, release: release))
  }

  /// Removes the function that is called when an effect has failed.
  public func removeEffectErrorHandler() throws(EngineError) {
    try self.enter(.use)
    self.effectFailures.handler.use(nil)
  }

  private func functions(for name: String) throws(EngineError) -> EffectFunctions {
    try self.enter(.use)
    try self.effectFunctions.check(name)
    return self.effectFunctions
  }

  private func requireRules() throws(EngineError) -> RuleRunner {
    try self.enter(.use)
    guard !self.isReadOnly else { throw .readOnly }
    guard let rules else {
      throw EngineError(
        .invalidArgument,
        "the effects of a domain are part of the domain; set a rule for a store with your own "
          + "reducer")
    }
    return rules
  }
}
