import ImmutableJSON

/// The greatest or least elements of the nodes of a collection: the summary of a node is the sort
/// key of this element.
final class KeptExtreme: Kept {
  /// The units of evaluating the sort keys.
  private var units = 0
}

extension KeptExtreme {
  func update(
    to values: ValueSequence, _ arguments: Arguments, _ results: PartialResults
  ) throws(ExpressionError) -> Value {
    guard let changes = self.mirror.changes(to: values) else {
      results.countRebuild()
      (self.mirror, self.units) = (TreeMirror(), 0)
      return try self.update(to: values, arguments, results)
    }
    let scope = arguments.scope
    let isMaximum = [.max, .maxBy].contains(arguments.call.function)
    let argument = arguments.call.function.expressionIndex
    func key(of element: Value) throws(ExpressionError) -> SortKey {
      try arguments.keptKey(of: element, by: argument)
    }
    /// The first key that no other precedes.
    func first(_ key: SortKey, _ best: SortKey?) throws(ExpressionError) -> SortKey {
      guard let best else { return key }
      guard best.isSameKind(as: key) else { throw .notKept }
      return (isMaximum ? best < key : key < best) ? key : best
    }
    var result = Value.null
    try scope.charging { () throws(ExpressionError) in
      for change in changes {
        for (runs, sign) in [(change.removed, -1), (change.added, 1)] {
          self.units +=
            sign
            * (try scope.units { () throws(ExpressionError) in
              try results.forEach(in: runs) { (_, element) throws(ExpressionError) in
                _ = try key(of: element)
                return true
              }
            })
        }
      }
      try self.mirror.finish { (node) throws(ExpressionError) in
        var best: SortKey?
        for child in node.children {
          guard let key = SortKey(child.summary) else { throw .notKept }
          best = try first(key, best)
        }
        if node.children.isEmpty {
          try node.values.forEach { (element) throws(ExpressionError) in
            best = try first(key(of: element), best)
          }
        }
        node.summary = best?.value ?? .null
      }
      // The first element with the key of the root.
      guard var node = self.mirror.root, let best = SortKey(node.summary) else { throw .notKept }
      while let child = node.children.first(where: {
        SortKey($0.summary).map { !($0 < best) && !(best < $0) } ?? false
      }) {
        node = child
      }
      var isFound = false
      try node.values.forEach { (element) throws(ExpressionError) in
        let key = try key(of: element)
        guard !isFound, !(key < best), !(best < key) else { return }
        (result, isFound) = (element, true)
      }
      return self.units + 2 * values.underestimatedCount
    }
    return result
  }
}

extension Arguments {
  /// The sort key of an element of which results are kept.
  func keptKey(of element: Value, by argument: Int?) throws(ExpressionError) -> SortKey {
    var value = element
    if let argument {
      value = try self.apply(argument, to: element)
    }
    guard let key = SortKey(value), key.isOrdered else { throw .notKept }
    try self.charge(for: key)
    return key
  }
}
