import ImmutableJSON

extension EffectContext {
  /// Asks the program for an effect, and runs `completion` as an effect when it has ended.
  ///
  /// The program's function is called after the effects that are waiting now. Nothing waits for the
  /// end of the effect except ``AnyStore/settle(milliseconds:)``. If the store is closed first,
  /// `completion` is dropped.
  ///
  /// - Throws: The error of encoding the arguments; ``EngineError``: `invalidArgument` if the
  ///   domain does not list the effect in its ``Domain/programEffects``.
  public func perform<Arguments, Output>(
    _ effect: ProgramEffect<Arguments, Output>, _ arguments: Arguments,
    then completion:
      @escaping @Sendable (EffectContext, Result<Output, ProgramTaskError>) throws ->
      Void
  ) throws {
    guard self.functions.isListed(effect.name) else {
      throw EngineError(
        .invalidArgument,
        "programEffects of the domain does not list the effect \(quoted(effect.name)); add its "
          + "description")
    }
    self.perform(effect.name, try Value(encoding: arguments)) { outcome in
      { context in try completion(context, outcome.decoded(from: effect.name)) }
    }
  }

  /// Asks the program for an effect by name.
  ///
  /// - Parameter completion: Returns the effect that follows an outcome. Throws if the program must
  ///   not end its effect with this outcome; that effect then stays in flight.
  func perform(
    _ name: String, _ arguments: Value,
    then completion: @escaping @Sendable (EffectTask.Outcome) throws -> Effect<State, Action>
  ) {
    self.queue.expect()
    let task = EffectTask(name, arguments) { outcome in
      let effect = Result { try completion(outcome) }
      let refusal: (any Error)? = if case .failure(let error) = effect { error } else { nil }
      return ({ self.complete(name, with: effect) }, refusal)
    }
    guard self.pending.add(task) else { return }
    self.queue.append { [functions] in functions.start(task) }
  }

  private func complete(_ name: String, with effect: Result<Effect<State, Action>, any Error>) {
    self.queue.appendExpected {
      self.run { context in
        do {
          try effect.get()(context)
        } catch {
          throw EffectError(source: .completion(of: name), underlying: error)
        }
      }
    }
  }
}

extension Result<Value, ProgramTaskError> {
  fileprivate func decoded<Output: Decodable>(
    from name: String
  ) -> Result<Output, ProgramTaskError> {
    self.flatMap { value in
      do {
        return .success(try value.decode())
      } catch {
        return .failure(.invalidResult(name: name, reason: reason(error, in: "result")))
      }
    }
  }
}
