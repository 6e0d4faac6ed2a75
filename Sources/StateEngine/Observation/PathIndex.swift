import ImmutableJSON
import JMESPath

/// The observations of a store whose state is a JSON value, by the paths that they can read under.
///
/// The paths are a tree. An action walks it along with what it changed of the state, and never gets
/// to a path under which all is the same: what that costs is the smaller of the number of changes
/// and that of paths, at each step.
struct PathIndex: ObservationIndex {
  /// Changed and walked under the lock of who has the index.
  fileprivate final class Place: @unchecked Sendable {
    var observers: Set<Int> = []
    var children: [PathKey: Place] = [:]

    var isEmpty: Bool {
      self.observers.isEmpty && self.children.isEmpty
    }
  }

  private let root = Place()
}

extension PathIndex {
  mutating func insert(_ number: Int, reading selectors: [BoundSelector]) {
    for path in Self.paths(selectors) {
      var place = self.root
      for key in path.keys.map(PathKey.init) {
        let child = place.children[key] ?? Place()
        place.children[key] = child
        place = child
      }
      place.observers.insert(number)
    }
  }

  mutating func remove(_ number: Int, reading selectors: [BoundSelector]) {
    for path in Self.paths(selectors) {
      var way: [(place: Place, key: PathKey)] = []
      var place = self.root
      for key in path.keys.map(PathKey.init) {
        guard let child = place.children[key] else { break }
        way.append((place, key))
        place = child
      }
      place.observers.remove(number)
      while let (parent, key) = way.popLast(), parent.children[key]?.isEmpty == true {
        parent.children[key] = nil
      }
    }
  }

  func search(from old: any Snapshot, to new: any Snapshot) -> () -> Set<Int> {
    guard let old = old as? ValueSnapshot, let new = new as? ValueSnapshot else { return { [] } }
    var concerned: Set<Int> = []
    self.root.collect(old.state, new.state, into: &concerned)
    return { [concerned] in concerned }
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

extension PathIndex.Place {
  /// Collects those that read here or below what is not the same in both values. Recurses as deep
  /// as paths are long.
  fileprivate func collect(_ old: Value, _ new: Value, into concerned: inout Set<Int>) {
    guard !old.isIdentical(to: new) else { return }
    concerned.formUnion(self.observers)
    guard !self.children.isEmpty else { return }
    if old.isNull != new.isNull {
      // Where there is null is read on the way to all that lies below.
      self.collectAll(into: &concerned)
      return
    }
    let (old, new) = (old.members, new.members)
    // A few are looked up; of many, those are found that changed.
    if self.children.count <= 8 {
      for (key, child) in self.children {
        child.collect(old[key.text] ?? .null, new[key.text] ?? .null, into: &concerned)
      }
    } else {
      old.forEachChange(to: new) { key, old, new in
        self.children[PathKey(key)]?.collect(old ?? .null, new ?? .null, into: &concerned)
      }
    }
  }

  private func collectAll(into concerned: inout Set<Int>) {
    for child in self.children.values {
      concerned.formUnion(child.observers)
      child.collectAll(into: &concerned)
    }
  }
}

extension Value {
  fileprivate var isNull: Bool {
    if case .null = self { true } else { false }
  }

  /// The members of an object; of anything else, none.
  fileprivate var members: JSONObject {
    if case .object(let members) = self { members } else { [:] }
  }
}
