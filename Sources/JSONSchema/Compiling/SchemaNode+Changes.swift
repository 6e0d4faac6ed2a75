// Whether a change of a value can be checked without the rest of the value.

extension [SchemaNode] {
  /// Why each check of a change could take as long as one of the whole value, and the schema with
  /// that problem; `nil` if none could.
  func obstacleToChanges(of root: Int) -> (problem: String, index: Int)? {
    let collections = self.aboveCollections
    for index in self.reachable(from: [root]) {
      if let problem = self.obstacle(self[index], collections) { return (problem, index) }
    }
    return nil
  }

  private func obstacle(_ node: SchemaNode, _ collections: Set<Int>) -> String? {
    if node.elements?.isUnique == true {
      return "\"uniqueItems\" is not possible in a state: each change would compare all elements; "
        + "use an object whose keys are unique"
    }
    if node.elements?.prefix.isEmpty == false, node.elements?.rest.schema != nil {
      return "\"items\" after \"prefixItems\" is not possible in a state: each change would check "
        + "all elements"
    }
    if let not = node.not, collections.contains(not) {
      return "\"not\" is not possible in a state for what contains arrays or objects of any size"
    }
    for union in node.unions where self.isUntagged(union, collections) {
      return
        "the schemas of \"\(union.keyword)\" contain arrays or objects of any size, so a state "
        + "needs a member with another \"const\" in each of them"
    }
    return nil
  }

  /// Whether a value must be checked against several branches that contain collections.
  private func isUntagged(_ union: SchemaUnion, _ collections: Set<Int>) -> Bool {
    for kind in [SchemaKinds.array, .object] where kind == .array || union.tag == nil {
      let branches = union.branches.filter { self[$0].possibleKinds.contains(kind) }
      if branches.count > 1, branches.contains(where: collections.contains) { return true }
    }
    return false
  }

  /// The schemas with an array or object of any number of parts somewhere below them.
  private var aboveCollections: Set<Int> {
    var users = [[Int]](repeating: [], count: self.count)
    var found: [Int] = []
    for (index, node) in self.enumerated() {
      for next in node.inPlace + node.parts { users[next].append(index) }
      if node.elements?.rest.schema != nil || node.members?.others.schema != nil {
        found.append(index)
      }
    }
    var all = Set(found)
    while let index = found.popLast() {
      for user in users[index] where all.insert(user).inserted { found.append(user) }
    }
    return all
  }

  private func reachable(from start: [Int]) -> [Int] {
    var (found, all) = (start, Set(start))
    var index = 0
    while index < found.count {
      let node = self[found[index]]
      for next in node.inPlace + node.parts where all.insert(next).inserted { found.append(next) }
      index += 1
    }
    return found
  }
}
