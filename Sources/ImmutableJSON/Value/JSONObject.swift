/// The members of a JSON object, in ascending order of the UTF-8 bytes of their keys.
///
/// Immutable with structural sharing: a copy is O(1), and an update copies only the path from the
/// root to the changed member. A small object is a block of values and one of keys, which objects
/// can share; a large one is a tree of such blocks.
///
/// ```swift
/// var object: JSONObject = ["a": 1, "b": 2]
/// let before = object
/// object["b"] = 3      // O(log n)
/// before["b"]          // .integer(2)
/// object.count         // 2, O(1)
/// for (key, value) in object { … }  // in key order
/// ```
public struct JSONObject: @unchecked Sendable {
  public typealias Member = (key: String, value: Value)

  var root: Node?

  init(root: Node?) {
    self.root = root
  }

  /// Creates an object of the given members. If a key is repeated, the last value wins. O(n log n).
  public init(_ members: some Sequence<(String, Value)> = []) {
    self.init()
    for (key, value) in members {
      self[key] = value
    }
  }

  init() {
    self.root = nil
  }
}

extension JSONObject {
  /// The number of members. O(1).
  public var count: Int {
    self.root?.total ?? 0
  }

  public var isEmpty: Bool {
    self.root == nil
  }

  /// Accesses the value of a member. Setting `nil` removes the member. O(log n).
  public subscript(key: String) -> Value? {
    get {
      key.withKeyBytes { self.root?.value(at: .key($0)) }
    }
    set {
      key.withKeyBytes { key in
        if let newValue {
          self.put(newValue, at: key)
        } else {
          self.remove(at: key)
        }
      }
    }
  }

  /// Whether both objects are the same instance, and therefore equal. O(1).
  public func isIdentical(to other: JSONObject) -> Bool {
    self.root === other.root
  }

  /// Sets a member. O(log n).
  mutating func put(_ value: Value, at key: KeyBytes) {
    guard var root = self.root else {
      self.root = .leaf(key, value)
      return
    }
    // The variable holds the only reference, so the node can be changed in place.
    self.root = nil
    if let sibling = Node.put(value, at: .key(key), isInsertion: false, in: &root) {
      root = .root(above: root, sibling)
    }
    self.root = root
  }

  /// Removes a member. O(log n).
  ///
  /// - Returns: Whether there was one.
  @discardableResult
  mutating func remove(at key: KeyBytes) -> Bool {
    guard var root = self.root else { return false }
    self.root = nil
    let isFound = Node.remove(at: .key(key), in: &root)
    self.root = root.collapsed
    return isFound
  }
}

extension JSONObject: Sequence {
  public struct Iterator: IteratorProtocol {
    fileprivate var cursor: NodeCursor

    public mutating func next() -> Member? {
      guard let (leaf, slot) = self.cursor.current, let keys = leaf.keys else { return nil }
      self.cursor.advance()
      return (keys.string(at: slot), leaf.value(at: slot))
    }
  }

  /// The members in key order.
  public func makeIterator() -> Iterator {
    Iterator(cursor: NodeCursor(self.root))
  }

  /// The member with the smallest key. O(log n).
  public var first: Member? {
    var iterator = self.makeIterator()
    return iterator.next()
  }

  /// The members whose keys are not below `key`, in key order. O(log n).
  public func members(from key: String) -> IteratorSequence<Iterator> {
    key.withKeyBytes { key in
      IteratorSequence(Iterator(cursor: NodeCursor(self.root, from: .key(key))))
    }
  }

  public var underestimatedCount: Int {
    self.count
  }

  /// The values in key order.
  public var values: ValueSequence {
    ValueSequence(root: self.root)
  }
}

extension JSONObject: Equatable {
  /// Whether both objects have equal members. Skips shared subtrees.
  public static func == (left: JSONObject, right: JSONObject) -> Bool {
    Value.object(left).isEqual(to: .object(right))
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// If a key is repeated, the last value wins.
  public init(dictionaryLiteral members: (String, Value)...) {
    self.init(members)
  }
}
