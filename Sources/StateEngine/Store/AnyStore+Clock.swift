import ImmutableJSON
import Threading

extension AnyStore {
  /// Moves the clock of a store with the option `"clock": "manual"`, and runs on the calling thread
  /// what has to run until then, each at its time: effects begin, delays and timeouts pass, timers
  /// of domains run. With `"clock": "stepped"`, outcomes of effects wait for ``receive()``.
  ///
  /// - Throws: ``EngineError``: `invalidArgument` if the clock is that of the system, or
  ///   `milliseconds` is negative; `closed`; `reentrant` inside a callback or an effect; `limit` if
  ///   effects begin each other without end: after 1,000 times the option `depth` steps at one
  ///   moment of the clock.
  public func advance(milliseconds: Int32) throws(EngineError) {
    try self.enterManual()
    guard milliseconds >= 0 else {
      throw EngineError(
        .invalidArgument, "a clock moves forward: \(milliseconds) ms must not be negative")
    }
    guard let effects else {
      return self.commits.clock.move(to: self.commits.clock.uptime(after: milliseconds))
    }
    try effects.advance(milliseconds: milliseconds)
  }

  /// Dispatches the oldest outcome of an effect that waits, in a store with the option
  /// `"clock": "stepped"`, and begins the effects that follow from it.
  ///
  /// - Returns: How many outcomes waited before; 0 if there was none to dispatch.
  /// - Throws: ``EngineError``: `invalidArgument` if outcomes do not wait; `closed`; `reentrant`
  ///   inside a callback or an effect; `limit` as in ``advance(milliseconds:)``.
  @discardableResult
  public func receive() throws(EngineError) -> Int {
    try self.requireStepped()
    return try self.effects?.receive() ?? 0
  }

  /// Throws as ``receive()`` does, and does nothing else.
  package func requireStepped() throws(EngineError) {
    try self.enterManual()
    guard self.commits.clock.kind == .stepped else {
      throw EngineError(
        .invalidArgument,
        "outcomes of effects do not wait; open the store with the option \"clock\":\"stepped\"")
    }
  }

  private func enterManual() throws(EngineError) {
    try self.enter(.use)
    try EffectQueue.refuseWaitInsideCallback()
    guard self.commits.clock.isManual else {
      throw EngineError(
        .invalidArgument,
        "the store has the clock of the system; open it with the option \"clock\":\"manual\"")
    }
  }
}

extension Schema.Property {
  /// The option of a store that says which clock it has.
  static var clock: Schema.Property {
    .init(
      "clock", .oneOf(StoreClock.Kind.allNames), isRequired: false,
      "Whether the time is that of the system, or moved by the program.")
  }
}

extension StoreClock {
  /// The clock of a store with these options, which have been checked.
  static func of(_ options: Value) -> StoreClock {
    guard let kind = Kind(options["clock"]), kind != .system else { return .system }
    return StoreClock(kind)
  }
}
