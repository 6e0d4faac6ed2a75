import ImmutableJSON

/// The outputs of a function for the elements of a collection.
final class KeptList: Kept {
  private var source: ValueSequence = JSONArray().values

  /// The outputs; `nil` if they are all elements of the collection, and no array of them was
  /// needed.
  private var outputs: JSONArray?

  /// The units of evaluating the nodes on all elements.
  private var units = 0

  init(_ function: ElementFunction) {
    super.init(TreeMirror(function.kind))
  }

  override var bytes: Int {
    super.bytes + 26 * (self.outputs?.count ?? 0)
  }
}

extension KeptList {
  /// The outputs.
  var values: ValueSequence {
    self.outputs?.values ?? self.source
  }

  /// The outputs as an array.
  func array(_ scope: Scope) throws(ExpressionError) -> Value {
    if self.outputs == nil {
      if let array = self.source.array { return try scope.array(array) }
      self.outputs = JSONArray(self.source)
    }
    return try scope.array(self.outputs ?? [])
  }

  func update(
    to values: ValueSequence, _ function: ElementFunction, _ scope: Scope,
    _ results: PartialResults
  ) throws(ExpressionError) {
    let isNew = self.mirror.root == nil
    guard let changes = self.mirror.changes(to: values) else {
      results.countRebuild()
      (self.mirror, self.outputs, self.units) = (TreeMirror(function.kind), nil, 0)
      return try self.update(to: values, function, scope, results)
    }
    self.source = values
    if isNew {
      self.outputs = function.isIdentity ? nil : []
      scope.prepareLookups()
    }
    try scope.charging { () throws(ExpressionError) in
      var added = 0
      for change in changes {
        var (old, new): (ContiguousArray<Value>, ContiguousArray<Value>) = ([], [])
        self.units -= try scope.units { () throws(ExpressionError) in
          try results.forEach(in: change.removed) { (_, element) throws(ExpressionError) in
            try function.append(outputsOf: element, to: &old, scope)
          }
        }
        self.units += try scope.units { () throws(ExpressionError) in
          try results.forEach(in: change.added) { (_, element) throws(ExpressionError) in
            try function.append(outputsOf: element, to: &new, scope)
          }
        }
        self.outputs?.replace(
          change.outputIndex + added, change.removedOutputs, by: new,
          isReversed: function.isReversed)
        added += new.count
      }
      self.mirror.finish()
      return self.units + function.elementUnits * self.mirror.total
        + function.outputUnits * self.mirror.outputs
    }
    if self.outputs == nil, self.mirror.outputs < self.mirror.total {
      // Some elements have no output.
      let outputs = self.mirror.keptValues
      self.outputs = JSONArray(outputs)
    }
  }
}

extension PartialResults {
  /// Calls `body` with the elements of some leaves. It returns whether an element has an output.
  func forEach(
    in runs: [ValueRun], _ body: (Int, Value) throws(ExpressionError) -> Bool
  ) throws(ExpressionError) {
    var index = 0
    for run in runs {
      self.countElements(run.slots.count)
      var kept: SlotSet = []
      try run.slots.forEach { (slot) throws(ExpressionError) in
        if try body(index, run.value(at: slot)) { kept.insert(SlotSet(slot: slot)) }
        index += 1
      }
      run.keep(kept)
    }
  }
}

extension JSONArray {
  /// Replaces elements, and keeps the instances of those that stay equal.
  ///
  /// - Parameter isReversed: Whether index and elements count from the end.
  fileprivate mutating func replace(
    _ index: Int, _ removed: Int, by elements: ContiguousArray<Value>, isReversed: Bool
  ) {
    if self.isEmpty, !elements.isEmpty {
      self = isReversed ? JSONArray(elements.reversed()) : JSONArray(elements)
      return
    }
    let start = isReversed ? self.count - index - removed : index
    for offset in 0..<Swift.max(removed, elements.count) {
      let new = isReversed ? elements.count - 1 - offset : offset
      if offset >= elements.count {
        self.remove(at: start + elements.count)
      } else if offset >= removed {
        self.insert(elements[new], at: start + offset)
      } else if self[start + offset] != elements[new] {
        self[start + offset] = elements[new]
      }
    }
  }
}
