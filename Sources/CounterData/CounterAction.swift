public enum CounterAction: Hashable, Codable, Sendable {
  case didTapIncrementButton
  case didTapDecrementButton
}
