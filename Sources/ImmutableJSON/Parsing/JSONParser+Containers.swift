extension JSONParser {
  /// Creates an object from the values and keys pushed since it was opened.
  func closeObject(_ container: Container) {
    let keys = self.keys.elements(from: container.firstKey)
    let values = self.values.elements(from: container.firstValue)
    let root = self.shapes.makeTree(
      keys, moving: values, expected: container.expected, depth: self.containers.count)
    self.keys.dropMoved(from: container.firstKey)
    self.values.dropMoved(from: container.firstValue)
    self.values.push(.object(JSONObject(root: consume root)))
  }

  /// Creates an array from the values pushed since it was opened, and the leaves built before.
  func closeArray(_ container: Container) {
    let values = self.values.elements(from: container.firstValue)
    let root: Node?
    if container.hasBuilder {
      let builder = self.builders.removeLast()
      builder.append(moving: values)
      root = builder.finish()
    } else {
      root = .build(moving: values)
    }
    self.values.dropMoved(from: container.firstValue)
    self.values.push(.array(JSONArray(root: consume root)))
  }

  /// Moves the first values of a long array to a leaf of its builder, which is created if needed.
  func flush(_ container: Container) -> Container {
    var container = container
    if !container.hasBuilder {
      container.hasBuilder = true
      self.builders.append(TreeBuilder())
    }
    let values = self.values.elements(from: container.firstValue)
    self.builders.last?.append(moving: .init(rebasing: values.prefix(Node.maxParts)))
    self.values.dropMovedPrefix(Node.maxParts, from: container.firstValue)
    return container
  }
}
