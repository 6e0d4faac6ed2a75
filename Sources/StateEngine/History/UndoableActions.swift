/// The actions of a domain that can be undone.
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

  public static var all: Self { Self() }

  /// - Parameter reason: A sentence that also says what to do instead.
  public static func none(because reason: String) -> Self {
    Self { _ in reason }
  }
}
