/// The meaning of an action for optimistic updates: changes that are shown before their effects
/// have succeeded.
///
/// A key identifies a change, so that the outcome of its effect can end it. If several changes have
/// the same key, an outcome ends the oldest.
public enum OptimisticUpdate: Hashable, Sendable {
  /// The action begins a change; its effect is in flight from now on.
  case begins(String)

  /// The effect succeeded: the change stays.
  case succeeds(String)

  /// The effect failed: the change is rolled back. Later actions are reduced again without it;
  /// those that the reducer then rejects are dropped.
  case fails(String)
}

extension OptimisticUpdate {
  /// Which function of a domain reduces an action.
  enum ReducerKind: Hashable, Sendable {
    case reduce, anticipate, confirm
  }
}

extension OptimisticUpdate? {
  var reducerKind: OptimisticUpdate.ReducerKind {
    switch self {
    case .begins: .anticipate
    case .succeeds: .confirm
    case .fails, nil: .reduce
    }
  }
}

extension Schema.Property {
  /// The option of a store that shows changes before their effects have succeeded.
  static var optimistic: Schema.Property {
    .init(
      "optimistic", .boolean, isRequired: false,
      "Whether changes are shown while their effects are in flight. False by default.")
  }
}
