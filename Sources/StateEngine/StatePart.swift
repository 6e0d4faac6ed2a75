/// A part of a state that selectors read: `StatePart(\.animals.data)`.
public struct StatePart<State: Sendable>: Sendable {
  private let path: PartialKeyPath<State> & Sendable
  private let isSameIn: @Sendable (State, State) -> Bool

  /// - Parameter path: Where it is. It is compared once for every action: where that is to cost
  ///   little, let it be a scalar, or a collection that knows when it is shared.
  public init<Part: Equatable & SendableMetatype>(_ path: KeyPath<State, Part> & Sendable) {
    self.path = path
    self.isSameIn = { $0[keyPath: path] == $1[keyPath: path] }
  }

  /// Whether it is equal in two states.
  func isSame(in left: State, _ right: State) -> Bool {
    self.isSameIn(left, right)
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
