/// Events of the user interface.
public enum CounterAction: Hashable, Codable, Sendable {
  case didTapIncrementButton
  case didTapDecrementButton
}
