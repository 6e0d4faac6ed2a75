/// The elements of a JSON array.
///
/// Immutable with structural sharing: a copy is O(1), and an update copies only the path from the
/// root to the changed element. A small array is one block of memory. A large one is a tree, which
/// inserts and removes elements at any index in O(log n).
public struct JSONArray: @unchecked Sendable {
  var root: Node?

  init(root: Node?) {
    self.root = root
  }

  /// Creates an array of the given elements. O(n).
  public init(_ elements: some Sequence<Value> = []) {
    self.root = .build(ContiguousArray(elements))
  }
}

extension JSONArray {
  /// Whether both arrays are the same instance, and therefore equal. O(1).
  public func isIdentical(to other: JSONArray) -> Bool {
    self.root === other.root
  }

  /// Inserts an element before the one at `index`, or at the end. O(log n).
  public mutating func insert(_ element: Value, at index: Int) {
    precondition((0...self.count).contains(index), "index out of range")
    self.put(element, at: index, isInsertion: true)
  }

  /// Appends an element. O(log n).
  public mutating func append(_ element: Value) {
    self.put(element, at: self.count, isInsertion: true)
  }

  /// Removes and returns an element. O(log n).
  @discardableResult
  public mutating func remove(at index: Int) -> Value {
    precondition(self.indices.contains(index), "index out of range")
    guard var root = self.root, let element = root.value(at: .index(index)) else { return .null }
    self.root = nil
    _ = Node.remove(at: .index(index), in: &root)
    self.root = root.collapsed
    return element
  }

  /// The elements in a range, as an array that shares their nodes. O(log n).
  public func slice(_ range: Range<Int>) -> JSONArray {
    precondition((0...self.count).contains(range.upperBound), "range out of bounds")
    return JSONArray(root: range.isEmpty ? nil : self.root?.slice(range).collapsed)
  }

  mutating func put(_ element: Value, at index: Int, isInsertion: Bool) {
    guard var root = self.root else {
      self.root = .leaf(keys: nil, count: 1) { _ in element }
      return
    }
    // The variable holds the only reference, so the node can be changed in place.
    self.root = nil
    if let sibling = Node.put(element, at: .index(index), isInsertion: isInsertion, in: &root) {
      root = .root(above: root, sibling)
    }
    self.root = root
  }
}

extension JSONArray: RandomAccessCollection, MutableCollection {
  public var startIndex: Int {
    0
  }

  public var endIndex: Int {
    self.root?.total ?? 0
  }

  /// Accesses an element. O(log n).
  public subscript(index: Int) -> Value {
    get {
      precondition(self.indices.contains(index), "index out of range")
      return self.root?.value(at: .index(index)) ?? .null
    }
    set {
      precondition(self.indices.contains(index), "index out of range")
      self.put(newValue, at: index, isInsertion: false)
    }
  }

  public func makeIterator() -> ValueSequence.Iterator {
    ValueSequence(root: self.root).makeIterator()
  }

  /// The elements in order.
  public var values: ValueSequence {
    ValueSequence(root: self.root)
  }
}

extension JSONArray: Equatable {
  /// Whether both arrays have equal elements. Skips shared subtrees.
  public static func == (left: JSONArray, right: JSONArray) -> Bool {
    Value.array(left).isEqual(to: .array(right))
  }
}

extension JSONArray: ExpressibleByArrayLiteral {
  public init(arrayLiteral elements: Value...) {
    self.init(elements)
  }
}
