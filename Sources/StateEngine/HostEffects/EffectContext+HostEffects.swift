import ImmutableJSON

extension EffectContext {
  /// Asks the program for an effect, and runs `completion` as an effect when it has ended.
  ///
  /// The program's function is called after the effects that are waiting now. Nothing waits for the
  /// end of the effect except ``AnyStore/settle(milliseconds:)``. If the store is closed first,
  /// `completion` is dropped.
  ///
  /// - Throws: The error of encoding the arguments; ``EngineError``: `invalidArgument` if the
  ///   domain does not list the effect in its ``Domain/hostEffects``.
  public func perform<Arguments, Output>(
    _ effect: HostEffect<Arguments, Output>, _ arguments: Arguments,
    then completion:
      @escaping @Sendable (EffectContext, Result<Output, HostEffectError>) throws ->
      Void
  ) throws {
    guard self.pending.host.isListed(effect.name) else {
      throw EngineError(
        .invalidArgument,
        "hostEffects of the domain does not list the effect \(quoted(effect.name)); add its "
          + "description")
    }
    self.perform(effect.name, try Value(encoding: arguments)) { context, outcome in
      try completion(context, outcome.decoded(from: effect.name))
    }
  }

  /// Asks the program for an effect by name.
  ///
  /// - Parameter check: Throws if the effect cannot end with this outcome; the effect then stays in
  ///   flight.
  func perform(
    _ name: String, _ arguments: Value,
    check: @escaping @Sendable (EffectTask.Outcome) throws -> Void = { _ in },
    then completion: @escaping @Sendable (Self, Result<Value, HostEffectError>) throws -> Void
  ) {
    self.pending.ask(name, arguments, check: check) { outcome in
      self.run { context in
        do {
          try completion(context, outcome)
        } catch {
          throw HostEffectCompletionError(name: name, underlying: error)
        }
      }
    }
  }
}

extension Result<Value, HostEffectError> {
  fileprivate func decoded<Output: Decodable>(
    from name: String
  ) -> Result<Output, HostEffectError> {
    self.flatMap { value in
      do {
        return .success(try value.decode())
      } catch {
        return .failure(.invalidResult(name: name, reason: reason(error, in: "result")))
      }
    }
  }
}
