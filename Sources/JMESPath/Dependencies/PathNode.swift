/// A place in a document that an expression can lead to, with those below it.
final class PathNode {
  private var children: [PathKey: PathNode] = [:]
  private let depth: Int

  /// Whether all that lies here is read.
  private var isRead = false

  /// Whether it makes a difference if there is null here.
  private var isTested = false

  init() {
    self.depth = 0
  }

  private init(depth: Int) {
    self.depth = depth
  }

  /// The place of a member; none, which stands for a value that is read already, if that is too deep
  /// to be told from this one.
  func member(_ key: String) -> PathNode? {
    guard self.depth < ExpressionLimits.pathLength else {
      self.isRead = true
      return nil
    }
    if let child = self.children[PathKey(key)] { return child }
    let child = PathNode(depth: self.depth + 1)
    self.children[PathKey(key)] = child
    return child
  }

  func read() {
    self.isRead = true
  }

  /// Reads whether there is null here, which all paths from here on tell too.
  func test() {
    self.isTested = true
  }

  /// The paths that are read, in ascending order, none of which lies under another; the root alone
  /// if there are too many.
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
    if self.isRead || (self.isTested && paths.count == count) {
      paths.append(Path(keys))
    }
  }
}
