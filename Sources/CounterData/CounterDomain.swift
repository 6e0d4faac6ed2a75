import StateEngine

/// The domain `counter`: a value that is incremented and decremented.
public enum CounterDomain: Domain {
  public static let name = "counter"

  public static let summary = "A value that is incremented and decremented."

  public static let initialState = CounterState()

  public static var stateSchema: Schema {
    Schema(of: CounterState.self, ["/value": "The count."])
  }

  public static var actions: [ActionDescription<CounterAction>] {
    [
      .init(.didTapIncrementButton, "Adds one to the value."),
      .init(.didTapDecrementButton, "Subtracts one from the value."),
    ]
  }

  public static var selectors: [SelectorDescription<CounterState>] {
    [
      .init("selectValue", "The value.", CounterState.selectValue())
    ]
  }

  public static func reduce(
    _ state: CounterState, _ action: CounterAction
  ) throws -> CounterState {
    try CounterReducer.reduce(state: state, action: action)
  }
}
