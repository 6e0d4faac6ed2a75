/// The elements of a JSON array, immutable and structurally shared.
public struct JSONArray: Sendable {
  private var elements: [Value]

  /// An array of these elements. O(n).
  public init(_ elements: some Sequence<Value> = []) {
    self.elements = Array(elements)
  }

  /// Whether both are one and the same array, so that neither need be looked at. O(1).
  public func isIdentical(to other: JSONArray) -> Bool {
    self.elements.withUnsafeBufferPointer { left in
      other.elements.withUnsafeBufferPointer { right in
        left.baseAddress == right.baseAddress && left.count == right.count
      }
    }
  }

  /// Puts an element before the one at `index`, or at the end. O(log n).
  public mutating func insert(_ element: Value, at index: Int) {
    self.elements.insert(element, at: index)
  }

  /// Adds an element at the end. O(log n).
  public mutating func append(_ element: Value) {
    self.elements.append(element)
  }

  /// Takes out an element. O(log n).
  @discardableResult
  public mutating func remove(at index: Int) -> Value {
    self.elements.remove(at: index)
  }
}

extension JSONArray: RandomAccessCollection, MutableCollection {
  public var startIndex: Int {
    0
  }

  public var endIndex: Int {
    self.elements.count
  }

  /// An element. O(log n).
  public subscript(index: Int) -> Value {
    get { self.elements[index] }
    set { self.elements[index] = newValue }
  }
}

extension JSONArray: Equatable {
  public static func == (left: JSONArray, right: JSONArray) -> Bool {
    left.elements == right.elements
  }
}

extension JSONArray: ExpressibleByArrayLiteral {
  public init(arrayLiteral elements: Value...) {
    self.init(elements)
  }
}
