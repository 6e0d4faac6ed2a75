import ImmutableJSON

/// A node of the trie of paths that an expression may read.
final class PathNode {
  private var children: [StringKey: PathNode] = [:]
  private let depth: Int

  /// Whether the whole value at this path is read.
  private var isRead = false

  /// Whether the expression depends on this value being null or not.
  private var isNullnessRead = false

  init() {
    self.depth = 0
  }

  private init(depth: Int) {
    self.depth = depth
  }

  /// The node of a member. If the path is too long, marks this node as read instead, and returns
  /// `nil`.
  func member(_ key: String) -> PathNode? {
    guard self.depth < ExpressionLimits.pathLength else {
      self.isRead = true
      return nil
    }
    if let child = self.children[StringKey(key)] { return child }
    let child = PathNode(depth: self.depth + 1)
    self.children[StringKey(key)] = child
    return child
  }

  /// Records that the whole value is read.
  func read() {
    self.isRead = true
  }

  /// Records a dependency on this value being null or not. Any longer path implies it.
  func readNullness() {
    self.isNullnessRead = true
  }

  /// The paths that are read, in ascending order. None lies under another. Only the root if there
  /// are too many.
  var paths: [Path] {
    var paths: [Path] = []
    var keys: [String] = []
    self.collect(&paths, &keys)
    return paths.count > ExpressionLimits.paths ? [Path([])] : paths
  }

  private func collect(_ paths: inout [Path], _ keys: inout [String]) {
    guard paths.count <= ExpressionLimits.paths else { return }
    let count = paths.count
    if !self.isRead {
      for (key, child) in self.children.sorted(by: { $0.key < $1.key }) {
        keys.append(key.text)
        child.collect(&paths, &keys)
        keys.removeLast()
      }
    }
    if self.isRead || (self.isNullnessRead && paths.count == count) {
      paths.append(Path(keys))
    }
  }
}
