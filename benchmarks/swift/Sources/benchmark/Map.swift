import HashTreeCollections
import ImmutableJSON

/// The common interface of the compared maps.
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

/// A map, and the keys that the measured operations use.
struct Subject<M: Map> {
  private(set) var map: M
  private var previous: M
  private let keys: [String]

  /// The sum of all integers that were read.
  private(set) var sum: Int64 = 0

  init(_ map: M, _ keys: [String]) {
    self.map = map
    self.previous = map
    self.keys = keys
  }

  /// Reads each key.
  mutating func get() {
    for key in self.keys {
      guard case .integer(let value)? = self.map[key] else { continue }
      self.sum &+= value
    }
  }

  /// Sets each key in place: the map has only one reference.
  mutating func set() {
    self.previous = M(members: [])
    for (index, key) in self.keys.enumerated() {
      self.map[key] = .integer(Int64(index))
    }
  }

  /// Removes each key, keeping the previous map.
  mutating func copyAndRemove() {
    for key in self.keys {
      self.previous = self.map
      self.map[key] = nil
    }
  }

  /// Sets each key, keeping the previous map, as a reducer does.
  mutating func copyAndSet() {
    for (index, key) in self.keys.enumerated() {
      self.previous = self.map
      self.map[key] = .integer(Int64(index))
    }
  }
}
