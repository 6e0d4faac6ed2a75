import ImmutableJSON

/// The greatest or least elements of the nodes of a collection: the summary of a node is the sort
/// key of this element, and its units are those of evaluating the keys.
final class KeptExtreme: Kept {}

extension KeptExtreme {
  func update(
    to values: ValueSequence, _ arguments: Arguments, _ results: PartialResults
  ) throws(ExpressionError) -> Value? {
    guard let changes = self.mirror.changes(to: values) else { return nil }
    let scope = arguments.scope
    let isMaximum = [.max, .maxBy].contains(arguments.call.function)
    let argument = arguments.call.function.expressionIndex
    for change in changes {
      for run in change.added { results.countElements(run.slots.count) }
    }
    scope.prepareLookups()
    /// The first key that no other precedes.
    func first(_ key: SortKey, _ best: SortKey?) throws(ExpressionError) -> SortKey {
      guard let best else { return key }
      guard best.isSameKind(as: key) else { throw .notKept }
      return (isMaximum ? best < key : key < best) ? key : best
    }
    var result = Value.null
    try scope.charging { () throws(ExpressionError) in
      try self.mirror.finish { (node) throws(ExpressionError) in
        var best: SortKey?
        node.units = 0
        for child in node.children {
          guard let key = SortKey(child.summary) else { throw .notKept }
          best = try first(key, best)
          node.units += child.units
        }
        node.units += try scope.units { () throws(ExpressionError) in
          guard node.children.isEmpty else { return }
          try node.values.forEach { (element) throws(ExpressionError) in
            best = try first(arguments.keptKey(of: element, by: argument), best)
          }
        }
        node.summary = best?.value ?? .null
      }
      // The first element with the key of the root.
      guard let root = self.mirror.root, let best = SortKey(root.summary) else { throw .notKept }
      func isBest(_ key: SortKey) -> Bool { !(key < best) && !(best < key) }
      var node = root
      while let child = node.children.first(where: { SortKey($0.summary).map(isBest) ?? false }) {
        node = child
      }
      var isFound = false
      try node.values.forEach { (element) throws(ExpressionError) in
        guard !isFound, isBest(try arguments.keptKey(of: element, by: argument)) else { return }
        (result, isFound) = (element, true)
      }
      return root.units + 2 * values.underestimatedCount
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
