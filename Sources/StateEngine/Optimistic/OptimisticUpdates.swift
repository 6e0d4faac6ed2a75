import ImmutableData

/// The meaning of an action for optimistic updates.
public typealias OptimisticUpdate = ImmutableData.OptimisticUpdate

/// The optimistic updates of a domain: which actions begin and end them, and what is shown
/// meanwhile.
///
/// The functions are called only for stores that were opened with the option `optimistic`.
public struct OptimisticUpdates<State, Action>: Sendable where State: Sendable, Action: Sendable {
  let update: (@Sendable (_ action: Action, _ state: State) -> OptimisticUpdate?)?
  let anticipate: Reducer<State, Action>?
  let confirm: Reducer<State, Action>?

  private init() {
    (self.update, self.anticipate, self.confirm) = (nil, nil, nil)
  }

  /// - Parameters:
  ///   - update: Returns what an action means for the changes in flight, for the state before the
  ///     action. An action may begin a change only if an outcome will follow. An action that
  ///     requests something already in flight must not begin one.
  ///   - anticipate: Returns the state that is shown while the change that the action begins is in
  ///     flight. Pure. By default, the domain's reducer.
  ///   - confirm: Returns the next state for an outcome that succeeded; usually the state already
  ///     shows the change. Pure. By default, the domain's reducer.
  public init(
    update: @escaping @Sendable (_ action: Action, _ state: State) -> OptimisticUpdate?,
    anticipate: Reducer<State, Action>? = nil, confirm: Reducer<State, Action>? = nil
  ) {
    self.update = update
    self.anticipate = anticipate
    self.confirm = confirm
  }

  /// A domain without optimistic updates. Its stores do not have the option `optimistic`.
  public static var none: Self { Self() }
}

extension Schema.Property {
  /// The option of a store that shows changes before their effects have succeeded.
  static var optimistic: Schema.Property {
    .init(
      "optimistic", .boolean, isRequired: false,
      "Whether changes are shown while their effects are in flight. False by default.")
  }
}
