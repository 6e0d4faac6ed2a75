import ImmutableJSON

extension [SchemaNode] {
  /// Adds what depends on other nodes: the possible kinds, the tags of unions, and the
  /// schemas behind those that only refer to another one.
  ///
  /// - Parameter pointer: The pointer to the schema of a node.
  /// - Returns: For each node, the one that takes its place.
  /// - Throws: An error for a schema that contains itself for the same value, which no value could
  ///   end.
  func link(_ pointer: (Int) -> JSONPointer) throws(SchemaError) -> [Int] {
    var targets = self.indices.map { $0 }
    for index in try self.innermostFirst(pointer) {
      self[index].possibleKinds = self[index].kinds(self)
      if let alias = self[index].alias { targets[index] = targets[alias] }
    }
    for node in self {
      node.replaceSchemas { targets[$0] }
      node.finish()
    }
    for node in self {
      node.members?.finish(self)
      for index in node.unions.indices {
        node.unions[index].tag = self.tag(of: node.unions[index])
      }
    }
    return targets
  }

  /// The nodes, each after those for the same value.
  private func innermostFirst(_ pointer: (Int) -> JSONPointer) throws(SchemaError) -> [Int] {
    var progress = [Progress](repeating: .new, count: self.count)
    var order: [Int] = []
    order.reserveCapacity(self.count)
    for start in self.indices {
      var path = [start]
      while let index = path.last {
        switch progress[index] {
        case .new:
          progress[index] = .begun
          for next in self[index].inPlace {
            guard progress[next] != .begun else {
              throw SchemaError(
                "a schema refers to itself for the same value; let the reference be inside "
                  + "\"properties\", \"items\" or the like"
              ).after(pointer(next))
            }
            if progress[next] == .new { path.append(next) }
          }
        case .begun:
          progress[index] = .done
          order.append(index)
          path.removeLast()
        case .done: path.removeLast()
        }
      }
    }
    return order
  }

  /// The member whose string decides about the branch of a union.
  private func tag(of union: SchemaUnion) -> SchemaUnion.Tag? {
    let branches = union.branches.filter { self[$0].possibleKinds.contains(.object) }
    guard branches.count > 1, let first = branches.first else { return nil }
    for property in self.properties(of: first) {
      if let tag = self.tag(property, branches) { return tag }
    }
    return nil
  }

  private func tag(_ property: MemberRules.Property, _ branches: [Int]) -> SchemaUnion.Tag? {
    var found: [StringKey: Int] = [:]
    for branch in branches {
      let same = self.properties(of: branch).first { $0.name.hasSameBytes(as: property.name) }
      guard let same, let values = self[same.schema].values.first,
        values.others.isEmpty
      else { return nil }
      for string in values.strings {
        guard found.updateValue(branch, forKey: string) == nil else { return nil }
      }
    }
    return SchemaUnion.Tag(name: property.name, key: property.key, branches: found)
  }

  private func properties(of index: Int) -> [MemberRules.Property] {
    self[index].members?.properties ?? []
  }
}

extension SchemaNode {
  /// The kinds that this schema allows, once those of the schemas for the same value are known.
  fileprivate func kinds(_ nodes: [SchemaNode]) -> SchemaKinds {
    var kinds = self.kinds
    for values in self.values { kinds.formIntersection(values.kinds) }
    for index in self.all { kinds.formIntersection(nodes[index].possibleKinds) }
    for union in self.unions {
      kinds.formIntersection(
        union.branches.reduce(into: []) { $0.formUnion(nodes[$1].possibleKinds) })
    }
    return kinds
  }
}

/// Where the walk over a schema is.
private enum Progress {
  case new, begun, done
}
