/// A part of a state that selectors read: `StatePart(\.animals.data)`.
public struct StatePart<State: Sendable>: Sendable {
  private let path: PartialKeyPath<State> & Sendable
  private let read: @Sendable (State) -> @Sendable (State) -> Bool

  /// - Parameter path: The path of the part. The part is compared once for each action, so it
  ///   should be cheap to compare: a scalar, or a collection with a fast path for shared storage.
  public init<Part: Equatable & Sendable>(_ path: KeyPath<State, Part> & Sendable) {
    self.path = path
    self.read = { state in
      let part = state[keyPath: path]
      return { $0[keyPath: path] == part }
    }
  }

  /// Returns a function that compares the part with that of another state. It retains only the part,
  /// not `state`.
  func comparison(with state: State) -> @Sendable (State) -> Bool {
    self.read(state)
  }

  /// Whether the part is equal in two states.
  func isEqual(in left: State, _ right: State) -> Bool {
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
