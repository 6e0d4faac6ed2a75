import ImmutableData
import ImmutableJSON

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

extension OptimisticUpdate {
  /// Decodes the `meta` of an action: `{"optimistic": {"begin": "17"}}`, or `succeed` or `fail`
  /// instead of `begin`. `nil` without a member `optimistic`.
  ///
  /// - Throws: ``EngineError``: `invalidAction` if `optimistic` has another shape.
  init?(metaOf action: Value) throws(EngineError) {
    guard let optimistic = action["meta"]?["optimistic"] else { return nil }
    try Schema.object(Self.members).check(optimistic, "meta/optimistic", .invalidAction)
    let found = [
      optimistic["begin"]?.string.map(Self.begins),
      optimistic["succeed"]?.string.map(Self.succeeds),
      optimistic["fail"]?.string.map(Self.fails),
    ].compactMap { $0 }
    guard let optimisticUpdate = found.first, found.count == 1 else {
      throw EngineError(
        .invalidAction,
        "meta/optimistic: found \(found.count) members"
          + suggestion("", Self.members.map(\.name)))
    }
    self = optimisticUpdate
  }

  private static var members: [Schema.Property] {
    [
      .init("begin", .string, isRequired: false, "The key of a change that is in flight from now."),
      .init("succeed", .string, isRequired: false, "The key of a change whose effect succeeded."),
      .init("fail", .string, isRequired: false, "The key of a change whose effect failed."),
    ]
  }
}
