/// The actions of a domain that can be undone.
///
/// An undo shows an old state and has no effects. So it must be refused for an action whose effects
/// have changed something else, such as a database or a server.
public struct UndoableActions<Action>: Sendable where Action: Sendable {
  /// `nil` if all can.
  let refusal: (@Sendable (Action) -> String?)?

  /// - Parameter refusal: Returns why an action cannot be undone: a sentence that also says what to
  ///   do instead. `nil` if it can.
  public init(refusal: @escaping @Sendable (_ action: Action) -> String?) {
    self.refusal = refusal
  }

  private init() {
    self.refusal = nil
  }

  /// All actions can be undone: what they change is in the state only.
  public static var all: Self { Self() }

  /// No action can be undone.
  ///
  /// - Parameter reason: A sentence that also says what to do instead.
  public static func none(because reason: String) -> Self {
    Self { _ in reason }
  }
}
