import ImmutableJSON
import Threading

extension Tracer {
  /// Runs an effect of a domain.
  ///
  /// - Parameter type: That of the action that caused it.
  @inline(never)
  func performing(after type: String?, _ effect: () -> Void) {
    let number = self.nextNumber()
    var members: Members = [("id", number)]
    if let type {
      // As it is shown in the action.
      members.append(("after", self.redaction.apply(to: ["type": .string(type)])["type"] ?? .null))
    }
    self.write("effect") { members + [("event", "began")] }
    let start = Clock.uptimeNanoseconds
    effect()
    let time = self.microseconds(since: start)
    self.write("effect") { members + [("event", "ended"), ("microseconds", time)] }
  }

  /// Writes that an effect of the program begins.
  ///
  /// - Returns: A function for its end.
  @inline(never)
  func beginning(
    _ name: String, _ arguments: Value
  ) -> @Sendable (EffectTask.Outcome) -> Void {
    let (number, start) = (self.nextNumber(), Clock.uptimeNanoseconds)
    self.write("effect") {
      [
        ("event", "began"), ("id", number), ("name", .string(name)),
        ("arguments", self.redaction.apply(to: arguments)),
      ]
    }
    return { outcome in
      self.write("effect") {
        let members: Members =
          switch outcome {
          case .success(let result):
            [("event", "ended"), ("result", self.redaction.apply(to: result))]
          case .failure(.cancelled): [("event", "cancelled")]
          case .failure(let error): self.failure(error)
          }
        return members + [
          ("id", number), ("name", .string(name)),
          ("microseconds", self.microseconds(since: start)),
        ]
      }
    }
  }

  /// Writes that an effect has failed.
  @inline(never)
  func failing(_ error: EngineError) {
    self.write("failure") { self.members(of: error) }
  }
}
