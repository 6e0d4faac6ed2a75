import ImmutableJSON

/// An effect that the program performs for a domain, such as a timer or a dialog.
///
/// ```swift
/// static let confirm = HostEffect<Question, Bool>(
///   "confirm", "Asks the user a question.",
///   arguments: .object([.init("question", .string, "The question.")]), result: .boolean)
/// ```
///
/// An effect of the domain asks for it (``EffectContext/perform(_:_:then:)``), and the program sets a
/// function that performs it (`AnyStore.setEffect`).
public struct HostEffect<Arguments: Codable & Sendable, Output: Codable & Sendable>: Sendable {
  public let description: HostEffectDescription

  public var name: String {
    self.description.name
  }

  /// - Parameters:
  ///   - name: The name by which the program sets its function.
  ///   - summary: What it does, in a sentence.
  ///   - arguments: The shape of the arguments; `nil` without arguments.
  ///   - result: The shape of the result; `nil` without a result.
  public init(
    _ name: String, _ summary: String, arguments: Schema? = nil, result: Schema? = nil
  ) {
    self.description = HostEffectDescription(
      name: name, summary: summary, arguments: arguments, result: result,
      recodeArguments: { try Value(encoding: $0.decode(Arguments.self)) },
      recodeResult: { try Value(encoding: $0.decode(Output.self)) })
  }
}

/// The arguments or the result of a ``HostEffect`` that has none: JSON `null`.
public struct NoValue: Codable, Hashable, Sendable {
  public init() {}

  /// Accepts any value, which is ignored.
  public init(from decoder: any Decoder) {}

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encodeNil()
  }
}

/// The description of an effect that a domain asks the program for.
public struct HostEffectDescription: Sendable {
  public let name: String
  public let summary: String
  public let arguments: Schema?
  public let result: Schema?

  /// Decode a value as the type of the arguments or of the result, and encode it again.
  let recodeArguments: @Sendable (Value) throws -> Value
  let recodeResult: @Sendable (Value) throws -> Value
}

extension HostEffectDescription {
  var json: Value {
    var members: [(String, Value)] = [
      ("name", .string(self.name)), ("summary", .string(self.summary)),
    ]
    if let arguments { members.append(("arguments", arguments.json)) }
    if let result { members.append(("result", result.json)) }
    return .object(JSONObject(members))
  }
}

extension EffectContext {
  /// Asks the program for an effect, and runs `completion` as an effect when it has ended.
  ///
  /// The program's function is called after the effects that are waiting now. Nothing waits for the
  /// end of the effect except ``AnyStore/settle(milliseconds:)``. If the store is closed first,
  /// `completion` is dropped.
  ///
  /// - Throws: The error of encoding the arguments; ``EngineError``: `invalidArgument` if the domain
  ///   does not list the effect in its ``Domain/hostEffects``.
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
          throw HostEffectFailure(name: name, underlying: error)
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
