/// A dependency of an observer in one store, with its last two values.
protocol Dependency<State>: AnyObject {
  associatedtype State

  func read(_ state: State)

  /// Whether the last two values differ.
  var didChange: Bool { get }
}

final class SelectedDependency<State, Value>: Dependency {
  private let selector: ObserverSelector<State, Value>
  private var old: Value
  private var new: Value

  init(_ selector: ObserverSelector<State, Value>, in state: State) {
    self.selector = selector
    self.new = selector.select(state)
    self.old = self.new
  }

  func read(_ state: State) {
    self.old = self.new
    self.new = self.selector.select(state)
  }

  var didChange: Bool {
    self.selector.didChange(self.old, self.new)
  }
}
