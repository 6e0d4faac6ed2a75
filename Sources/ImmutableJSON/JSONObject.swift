/// The members of a JSON object, in ascending order of the UTF-8 bytes of their keys.
public struct JSONObject: Sendable {
  public typealias Member = (key: String, value: Value)

  private var members: [Member]

  /// An object of these members, of which the last of each key counts. O(n log n).
  public init(_ members: some Sequence<(String, Value)> = []) {
    self.members = []
    // The sort is stable: of equal keys the last that was given comes last.
    for (key, value) in members.sorted(by: { $0.0.precedes($1.0) }) {
      if let last = self.members.last, !last.key.precedes(key) {
        self.members[self.members.count - 1].value = value
      } else {
        self.members.append((key, value))
      }
    }
  }

  /// The value of a member; setting `nil` removes it. O(log n).
  public subscript(key: String) -> Value? {
    get {
      let index = self.lowerBound(key)
      return self.has(key, at: index) ? self.members[index].value : nil
    }
    set {
      let index = self.lowerBound(key)
      switch (newValue, self.has(key, at: index)) {
      case (let value?, true): self.members[index].value = value
      case (let value?, false): self.members.insert((key, value), at: index)
      case (nil, true): self.members.remove(at: index)
      case (nil, false): break
      }
    }
  }

  /// Whether both are one and the same object, so that neither need be looked at. O(1).
  public func isIdentical(to other: JSONObject) -> Bool {
    self.members.withUnsafeBufferPointer { left in
      other.members.withUnsafeBufferPointer { right in
        left.baseAddress == right.baseAddress && left.count == right.count
      }
    }
  }

  private func lowerBound(_ key: String) -> Int {
    self.members.partitioningIndex { !$0.key.precedes(key) }
  }

  private func has(_ key: String, at index: Int) -> Bool {
    index < self.members.count && !key.precedes(self.members[index].key)
  }
}

extension JSONObject: RandomAccessCollection {
  public var startIndex: Int {
    self.members.startIndex
  }

  public var endIndex: Int {
    self.members.endIndex
  }

  public subscript(position: Int) -> Member {
    self.members[position]
  }
}

extension JSONObject: Equatable {
  public static func == (left: JSONObject, right: JSONObject) -> Bool {
    left.elementsEqual(right) { $0.key.utf8.elementsEqual($1.key.utf8) && $0.value == $1.value }
  }
}

extension String {
  /// Whether this stands before `other` in the order of UTF-8 bytes, which is that of code points.
  fileprivate func precedes(_ other: String) -> Bool {
    self.utf8.lexicographicallyPrecedes(other.utf8)
  }
}

extension Array {
  /// The first index whose element is as asked, where all before it are not. O(log n).
  fileprivate func partitioningIndex(where predicate: (Element) -> Bool) -> Int {
    var low = 0
    var high = self.count
    while low < high {
      let middle = low + (high - low) / 2
      if predicate(self[middle]) {
        high = middle
      } else {
        low = middle + 1
      }
    }
    return low
  }
}
