import ImmutableJSON

/// Turns what a program of one version has kept into what the next version expects.
public struct LogMigration: Sendable {
  /// The version of the log that it applies to. The result has the next one.
  public var fromVersion: Int

  public var state: @Sendable (_ state: Value) throws -> Value

  /// Returns `nil` to take an action out for good. By default, actions stay as they are.
  public var action: @Sendable (_ action: Value) throws -> Value?

  /// The members of the state that it may remove. Without any other, a migration is refused.
  public var removes: [String] = []

  public init(
    fromVersion: Int, state: @escaping @Sendable (_ state: Value) throws -> Value,
    action: @escaping @Sendable (_ action: Value) throws -> Value? = { $0 }
  ) {
    self.fromVersion = fromVersion
    self.state = state
    self.action = action
  }
}
