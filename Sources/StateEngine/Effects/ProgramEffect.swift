import ImmutableJSON

/// An effect that the program performs for a domain, such as a timer or a dialog.
///
/// ```swift
/// static let confirm = ProgramEffect<Question, Bool>(
///   "confirm", "Asks the user a question.",
///   arguments: .object([.init("question", .string, "The question.")]), result: .boolean)
/// ```
///
/// An effect of the domain asks for it (``EffectContext/perform(_:_:then:)``), and the program sets
/// a function that performs it (`AnyStore.setEffect`).
public struct ProgramEffect<Arguments: Codable & Sendable, Output: Codable & Sendable>: Sendable {
  public let description: ProgramEffectDescription

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
    self.description = ProgramEffectDescription(
      name: name, summary: summary, arguments: arguments, result: result,
      recodeArguments: { try Value(encoding: $0.decode(Arguments.self)) },
      recodeResult: { try Value(encoding: $0.decode(Output.self)) })
  }
}

/// The arguments or the result of a ``ProgramEffect`` that has none: JSON `null`.
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
public struct ProgramEffectDescription: Sendable {
  public let name: String
  public let summary: String
  public let arguments: Schema?
  public let result: Schema?

  /// Decode a value as the type of the arguments or of the result, and encode it again.
  let recodeArguments: @Sendable (Value) throws -> Value
  let recodeResult: @Sendable (Value) throws -> Value
}

extension ProgramEffectDescription {
  var json: Value {
    var members: [(String, Value)] = [
      ("name", .string(self.name)), ("summary", .string(self.summary)),
    ]
    if let arguments { members.append(("arguments", arguments.json)) }
    if let result { members.append(("result", result.json)) }
    return .object(JSONObject(members))
  }
}

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

extension EffectFunctions {
  /// Sets the function that performs an effect, with decoded arguments. Arguments that cannot be
  /// decoded reject the effect.
  public func set<Arguments, Output>(
    _ effect: ProgramEffect<Arguments, Output>, release: @escaping @Sendable () -> Void = {},
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
