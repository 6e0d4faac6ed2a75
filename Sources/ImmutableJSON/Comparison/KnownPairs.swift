/// What was found equal: nodes of trees and long strings, by their addresses.
///
/// Equality is transitive, so these are classes (union–find), not pairs: as many comparisons as
/// there are nodes find everything out, where pairs could be as many as the product of both sides.
/// Whoever uses it keeps the values alive meanwhile.
struct KnownPairs {
  private var parents: [UInt: UInt] = [:]

  /// Whether both are known to be equal.
  mutating func contains(_ left: UInt, _ right: UInt) -> Bool {
    left == right || self.root(of: left) == self.root(of: right)
  }

  /// Remembers that both are equal.
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

extension KnownPairs {
  mutating func contains(_ left: Node, _ right: Node) -> Bool {
    self.contains(Self.address(left), Self.address(right))
  }

  mutating func insert(_ left: Node, _ right: Node) {
    self.insert(Self.address(left), Self.address(right))
  }

  private static func address(_ node: Node) -> UInt {
    UInt(bitPattern: Unmanaged.passUnretained(node).toOpaque())
  }
}
