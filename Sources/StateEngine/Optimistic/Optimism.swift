/// What an action means for a change that is shown before its effect has succeeded.
///
/// A key names the change, so that the outcome of its effect is recognised. Of changes with one key,
/// an outcome ends the one that began first.
public enum Optimism: Hashable, Sendable {
  /// The action asks for a change; its effect is in flight from here on.
  case begins(String)

  /// The effect succeeded: what is shown stays.
  case succeeds(String)

  /// The effect failed: the state becomes as if the action that began had not happened. What came
  /// after it stays.
  case fails(String)
}

extension Optimism {
  /// How an action is reduced, by what it means for what is in flight.
  enum Step: Hashable, Sendable {
    case reduce, anticipate, confirm
  }
}

extension Optimism? {
  var step: Optimism.Step {
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
      "Whether changes are shown while their effects are in flight. False unless said.")
  }
}
