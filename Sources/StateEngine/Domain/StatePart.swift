/// A part of a state that selectors read: `StatePart(\.animals.data)`.
public struct StatePart<State: Sendable>: Sendable {
  private let path: PartialKeyPath<State> & Sendable
  private let read: @Sendable (State) -> @Sendable (State) -> Bool

  /// - Parameter path: Where it is. It is compared once for every action: where that is to cost
  ///   little, let it be a scalar, or a collection that knows when it is shared.
  public init<Part: Equatable & Sendable>(_ path: KeyPath<State, Part> & Sendable) {
    self.path = path
    self.read = { state in
      let part = state[keyPath: path]
      return { $0[keyPath: path] == part }
    }
  }

  /// Whether another state has it as this one. Keeps it alive, and no more of the state.
  func reading(of state: State) -> @Sendable (State) -> Bool {
    self.read(state)
  }

  /// Whether it is equal in two states.
  func isSame(in left: State, _ right: State) -> Bool {
    self.read(left)(right)
  }
}

extension StatePart: Hashable {
  public static func == (left: StatePart, right: StatePart) -> Bool {
    left.path as AnyKeyPath == right.path as AnyKeyPath
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(self.path as AnyKeyPath)
  }
}
