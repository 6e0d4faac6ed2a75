import ImmutableJSON

/// A part of a state that selectors read.
///
/// ```swift
/// StatePart(\.animals.status)
/// StatePart(\.animals.data)  // all animals
/// StatePart(\.animals.data, at: "animalId") { $0[$1] }  // the animal that an argument names
/// ```
///
/// For each action, a part is compared once, however many observers read it. If it is equal, its
/// elements are not compared; otherwise each element that an observer reads is compared once. Parts
/// and elements should be cheap to compare: scalars, or values with a fast path for shared storage.
public struct StatePart<State: Sendable>: Sendable {
  /// What a selector with some arguments reads of a part.
  @usableFromInline
  enum Scope: Hashable, Sendable {
    case whole
    case element(String)
    case nothing
  }

  @usableFromInline let path: PartialKeyPath<State> & Sendable

  /// The argument of the selector that names the element; `nil` for the whole part.
  @usableFromInline let argument: String?

  /// Returns a function that compares a scope of the part with that of another state. It retains
  /// only what it compares, not the state.
  @usableFromInline let comparison: @Sendable (State, Scope) -> @Sendable (State) -> Bool

  /// Compares the part in two states, the older first. Returns a function that compares a scope;
  /// `nil` if the whole part is equal.
  @usableFromInline let changes: @Sendable (State, State) -> ((Scope) -> Bool)?

  // Inlinable, so that parts are compared by the code of their types. Generic code looks up types
  // at run time, and would take ten times as long to compare two versions of a dictionary.

  /// All of a part.
  ///
  /// - Parameter path: The path of the part.
  @inlinable
  public init<Part: Equatable & Sendable>(_ path: KeyPath<State, Part> & Sendable) {
    self.init(path, argument: nil) { part, _ in part }
  }

  /// The element of a part that an argument names: a selector that reads it is evaluated only if
  /// this element changed, and reads nothing if the argument is null or left out.
  ///
  /// - Parameters:
  ///   - path: The path of the part.
  ///   - argument: The name of an argument of the selector, whose value is a string.
  ///   - element: Returns the element with an id.
  @inlinable
  public init<Part: Equatable & Sendable, Element: Equatable & Sendable>(
    _ path: KeyPath<State, Part> & Sendable, at argument: String,
    _ element: @escaping @Sendable (_ part: Part, _ id: String) -> Element?
  ) {
    self.init(path, argument: argument, element)
  }

  @inlinable
  init<Part: Equatable & Sendable, Element: Equatable & Sendable>(
    _ path: KeyPath<State, Part> & Sendable, argument: String?,
    _ find: @escaping @Sendable (Part, String) -> Element?
  ) {
    self.path = path
    self.argument = argument
    self.comparison = { state, scope in
      let part = state[keyPath: path]
      switch scope {
      case .whole: return { $0[keyPath: path] == part }
      case .element(let id):
        // Retains only the element.
        let element = find(part, id)
        return { find($0[keyPath: path], id) == element }
      case .nothing: return { _ in true }
      }
    }
    self.changes = { old, new in
      let (old, new) = (old[keyPath: path], new[keyPath: path])
      guard old != new else { return nil }
      return { scope in
        switch scope {
        case .whole: true
        case .element(let id): find(old, id) != find(new, id)
        case .nothing: false
        }
      }
    }
  }
}

extension StatePart {
  /// What a selector reads of this part.
  ///
  /// - Parameter arguments: The arguments of the selector. If the one that names the element is not
  ///   a string, only the selector's function knows its meaning, and may read the whole part.
  func scope(for arguments: Value) -> Scope {
    guard let argument else { return .whole }
    switch arguments[argument] {
    case .string(let id): return .element(id)
    case .null, nil: return .nothing
    default: return .whole
    }
  }
}

extension StatePart: Hashable {
  public static func == (left: StatePart, right: StatePart) -> Bool {
    left.path as AnyKeyPath == right.path as AnyKeyPath && left.argument == right.argument
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(self.path as AnyKeyPath)
    hasher.combine(self.argument)
  }
}
