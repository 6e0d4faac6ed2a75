/// The pairs of nodes that were found different, identified by their addresses.
///
/// A comparison of two values finds that the nodes on the way to the first difference differ, too.
/// A diff asks for them next, when it descends. Callers must keep the values alive.
struct DifferingNodes {
  private var pairs: Set<Pair> = []

  private struct Pair: Hashable {
    let left: UInt
    let right: UInt

    init(_ left: Node, _ right: Node) {
      (self.left, self.right) = (left.address, right.address)
    }
  }
}

extension DifferingNodes {
  /// Whether both were found different.
  func contains(_ left: Node, _ right: Node) -> Bool {
    !self.pairs.isEmpty && self.pairs.contains(Pair(left, right))
  }

  /// Records that both are different.
  mutating func insert(_ left: Node, _ right: Node) {
    self.pairs.insert(Pair(left, right))
  }
}
