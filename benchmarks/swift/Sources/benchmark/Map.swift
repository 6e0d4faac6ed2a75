import HashTreeCollections
import ImmutableJSON

/// What the maps that are compared have in common.
protocol Map {
  init(members: [(String, Value)])
  subscript(key: String) -> Value? { get set }
}

extension JSONObject: Map {
  init(members: [(String, Value)]) {
    self.init(members)
  }
}

extension TreeDictionary<String, Value>: Map {
  init(members: [(String, Value)]) {
    self.init(uniqueKeysWithValues: members)
  }
}

extension Dictionary<String, Value>: Map {
  init(members: [(String, Value)]) {
    self.init(uniqueKeysWithValues: members)
  }
}

/// A map, and the keys that are looked up and set in it.
struct Subject<M: Map> {
  private(set) var map: M
  private var before: M
  private let keys: [String]

  /// Of all that was read.
  private(set) var sum: Int64 = 0

  init(_ map: M, _ keys: [String]) {
    self.map = map
    self.before = map
    self.keys = keys
  }

  /// Reads each key.
  mutating func get() {
    for key in self.keys {
      guard case .integer(let value)? = self.map[key] else { continue }
      self.sum &+= value
    }
  }

  /// Sets each key of a map that no one else has.
  mutating func set() {
    self.before = M(members: [])
    for (index, key) in self.keys.enumerated() {
      self.map[key] = .integer(Int64(index))
    }
  }

  /// Removes each key of a map while the one before is still there.
  mutating func copyAndRemove() {
    for key in self.keys {
      self.before = self.map
      self.map[key] = nil
    }
  }

  /// Sets each key of a map while the one before is still there, as a reducer does.
  mutating func copyAndSet() {
    for (index, key) in self.keys.enumerated() {
      self.before = self.map
      self.map[key] = .integer(Int64(index))
    }
  }
}
