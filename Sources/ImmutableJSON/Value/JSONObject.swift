/// The members of a JSON object, in ascending order of the UTF-8 bytes of their keys.
///
/// Immutable and structurally shared: a copy is free, and a changed copy shares with the original
/// all but the way to what changed. A small object is one block of memory, a large one a tree.
///
/// ```swift
/// var object: JSONObject = ["a": 1, "b": 2]
/// let before = object
/// object["b"] = 3      // O(log n)
/// before["b"]          // .integer(2)
/// object.count         // 2, O(1)
/// for (key, value) in object { … }  // in order of keys
/// ```
public struct JSONObject: @unchecked Sendable {
  public typealias Member = (key: String, value: Value)

  var root: Node?

  init(root: Node?) {
    self.root = root
  }

  /// An object of these members, of which the last of each key counts. O(n log n).
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
  /// How many members there are. O(1).
  public var count: Int {
    self.root?.total ?? 0
  }

  public var isEmpty: Bool {
    self.root == nil
  }

  /// The value of a member; setting `nil` removes it. O(log n).
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

  /// Whether both are one and the same object, so that neither need be looked at. O(1).
  public func isIdentical(to other: JSONObject) -> Bool {
    self.root === other.root
  }

  /// Sets a member. O(log n).
  mutating func put(_ value: Value, at key: KeyBytes) {
    guard var root = self.root else {
      self.root = .leaf(keys: .make([key]), count: 1) { _ in value }
      return
    }
    // Held by nothing but the variable, so that it can be changed in place.
    self.root = nil
    if let behind = Node.put(value, at: .key(key), isInsertion: false, in: &root) {
      root = .root(above: root, behind)
    }
    self.root = root
  }

  private mutating func remove(at key: KeyBytes) {
    guard var root = self.root, root.value(at: .key(key)) != nil else { return }
    self.root = nil
    _ = Node.remove(at: .key(key), in: &root)
    self.root = root.collapsed
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

  /// The members in order.
  public func makeIterator() -> Iterator {
    Iterator(cursor: NodeCursor(self.root))
  }

  /// The first member in order. O(log n).
  public var first: Member? {
    var iterator = self.makeIterator()
    return iterator.next()
  }

  /// The members from the first on whose key is not before `key`, in order. O(log n).
  public func members(from key: String) -> IteratorSequence<Iterator> {
    key.withKeyBytes { key in
      IteratorSequence(Iterator(cursor: NodeCursor(self.root, from: .key(key))))
    }
  }

  public var underestimatedCount: Int {
    self.count
  }

  /// The values in order of their keys, without the keys.
  public var values: ValueSequence {
    ValueSequence(root: self.root)
  }
}

extension JSONObject: Equatable {
  /// Whether both have the same members. Shared parts are not looked at.
  public static func == (left: JSONObject, right: JSONObject) -> Bool {
    Value.object(left).isEqual(to: .object(right))
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// Of a key that stands twice the last value counts.
  public init(dictionaryLiteral members: (String, Value)...) {
    self.init(members)
  }
}
