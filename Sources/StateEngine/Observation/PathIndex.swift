import ImmutableJSON
import JMESPath

/// The observations of a store of a JSON value, by the paths that they read.
///
/// The paths form a tree. A search walks it together with the changed parts of the state, and skips
/// paths under which nothing changed. The cost of a node is a small constant, or proportional to
/// the number of changed members; it does not depend on the number of paths.
struct PathIndex: ObservationIndex {
  /// A node of the tree of paths. Guarded by the lock that guards the index.
  fileprivate final class Node: @unchecked Sendable {
    /// The last key of the path; empty for the root.
    let key: ObjectKey

    var observers: Set<Int> = []
    var children: [PathKey: Node] = [:]

    init(_ key: String) {
      self.key = ObjectKey(key)
    }

    var isEmpty: Bool {
      self.observers.isEmpty && self.children.isEmpty
    }
  }

  private let root = Node("")
}

extension PathIndex {
  mutating func insert(_ number: Int, reading selectors: [BoundSelector]) {
    for path in Self.paths(selectors) {
      var node = self.root
      for key in path.keys.map(PathKey.init) {
        let child = node.children[key] ?? Node(key.text)
        node.children[key] = child
        node = child
      }
      node.observers.insert(number)
    }
  }

  mutating func remove(_ number: Int, reading selectors: [BoundSelector]) {
    for path in Self.paths(selectors) {
      var visited: [(parent: Node, key: PathKey)] = []
      var node = self.root
      for key in path.keys.map(PathKey.init) {
        guard let child = node.children[key] else { break }
        visited.append((node, key))
        node = child
      }
      node.observers.remove(number)
      while let (parent, key) = visited.popLast(), parent.children[key]?.isEmpty == true {
        parent.children[key] = nil
      }
    }
  }

  func search(from old: any Snapshot, to new: any Snapshot) -> ObservationSearch {
    guard let old = try? old.value(), let new = try? new.value() else { return .found([]) }
    var affected: [AffectedObservation] = []
    self.root.collect(old, new, into: &affected)
    return .found(affected)
  }

  private static func paths(_ selectors: [BoundSelector]) -> [Path] {
    selectors.flatMap { selector in
      switch selector {
      case .expression(let expression, let arguments, _): expression.paths(with: arguments)
      case .domain: [Path([])]
      }
    }
  }
}

extension PathIndex.Node {
  /// Collects the observations that read, at this node or below, something that differs between the
  /// values. The recursion is as deep as the longest path.
  fileprivate func collect(
    _ old: Value, _ new: Value, into affected: inout [AffectedObservation]
  ) {
    guard !old.isIdentical(to: new) else { return }
    for observer in self.observers {
      affected.append(AffectedObservation(number: observer, value: new))
    }
    guard !self.children.isEmpty else { return }
    if old.isNull != new.isNull {
      // Every path below depends on whether this value is null.
      self.collectAll(into: &affected)
      return
    }
    // A few children are looked up directly. For many, only the changed members are visited.
    if self.children.count <= 8 {
      for child in self.children.values {
        child.collect(old[child.key] ?? .null, new[child.key] ?? .null, into: &affected)
      }
    } else {
      old.members.forEachChange(to: new.members) { key, old, new in
        self.children[PathKey(key)]?.collect(old ?? .null, new ?? .null, into: &affected)
      }
    }
  }

  private func collectAll(into affected: inout [AffectedObservation]) {
    for child in self.children.values {
      affected += child.observers.lazy.map { AffectedObservation(number: $0) }
      child.collectAll(into: &affected)
    }
  }
}

extension Value {
  fileprivate var isNull: Bool {
    if case .null = self { true } else { false }
  }

  /// The members of an object; empty for other values.
  fileprivate var members: JSONObject {
    if case .object(let members) = self { members } else { [:] }
  }
}
