/// The elements of a JSON array.
///
/// Immutable and structurally shared: a copy is free, and a changed copy shares with the original
/// all but the way to what changed. A small array is one block of memory, a large one a tree, in
/// which elements are inserted and removed anywhere in O(log n).
public struct JSONArray: @unchecked Sendable {
  var root: Node?

  init(root: Node?) {
    self.root = root
  }

  /// An array of these elements. O(n).
  public init(_ elements: some Sequence<Value> = []) {
    self.root = .build(ContiguousArray(elements))
  }
}

extension JSONArray {
  /// Whether both are one and the same array, so that neither need be looked at. O(1).
  public func isIdentical(to other: JSONArray) -> Bool {
    self.root === other.root
  }

  /// Puts an element before the one at `index`, or at the end. O(log n).
  public mutating func insert(_ element: Value, at index: Int) {
    precondition((0...self.count).contains(index), "index out of range")
    self.put(element, at: index, isInsertion: true)
  }

  /// Adds an element at the end. O(log n).
  public mutating func append(_ element: Value) {
    self.put(element, at: self.count, isInsertion: true)
  }

  /// Takes out an element. O(log n).
  @discardableResult
  public mutating func remove(at index: Int) -> Value {
    precondition(self.indices.contains(index), "index out of range")
    guard var root = self.root else { return .null }
    self.root = nil
    let element = Node.remove(at: .index(index), in: &root)
    self.root = root.collapsed
    return element ?? .null
  }

  private mutating func put(_ element: Value, at index: Int, isInsertion: Bool) {
    guard var root = self.root else {
      self.root = .leaf(keys: nil, count: 1) { _ in element }
      return
    }
    // Held by nothing but the variable, so that it can be changed in place.
    self.root = nil
    if let behind = Node.put(element, at: .index(index), isInsertion: isInsertion, in: &root) {
      root = .root(above: root, behind)
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

  /// An element. O(log n).
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
  /// Whether both have the same elements. Shared parts are not looked at.
  public static func == (left: JSONArray, right: JSONArray) -> Bool {
    Value.array(left).isEqual(to: .array(right))
  }
}

extension JSONArray: ExpressibleByArrayLiteral {
  public init(arrayLiteral elements: Value...) {
    self.init(elements)
  }
}
