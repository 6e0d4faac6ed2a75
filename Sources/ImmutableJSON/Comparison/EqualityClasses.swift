/// The nodes and long strings that were found equal, identified by their addresses.
///
/// A union–find structure: because equality is transitive, the number of comparisons is bounded by
/// the number of nodes, whereas the number of pairs can be the product of both sides. Callers must
/// keep the values alive.
struct EqualityClasses {
  private var parents: [UInt: UInt] = [:]

  /// Whether both were found equal.
  mutating func contains(_ left: UInt, _ right: UInt) -> Bool {
    left == right || self.root(of: left) == self.root(of: right)
  }

  /// Records that both are equal.
  mutating func insert(_ left: UInt, _ right: UInt) {
    let (left, right) = (self.root(of: left), self.root(of: right))
    if left != right {
      self.parents[left] = right
    }
  }

  private mutating func root(of address: UInt) -> UInt {
    var address = address
    while let parent = self.parents[address] {
      if let above = self.parents[parent] {
        self.parents[address] = above
      }
      address = parent
    }
    return address
  }
}

extension EqualityClasses {
  mutating func contains(_ left: Node, _ right: Node) -> Bool {
    self.contains(left.address, right.address)
  }

  mutating func insert(_ left: Node, _ right: Node) {
    self.insert(left.address, right.address)
  }
}

extension Node {
  /// Identifies the node while it lives.
  var address: UInt {
    UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque())
  }
}
