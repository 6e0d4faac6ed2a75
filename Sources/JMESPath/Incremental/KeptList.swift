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
  ) throws(ExpressionError) -> Bool {
    let isNew = self.mirror.root == nil
    guard let changes = self.mirror.changes(to: values) else { return false }
    self.source = values
    if isNew {
      self.outputs = function.isIdentity ? nil : []
    }
    var elements = ListElements(function, scope)
    try scope.charging { () throws(ExpressionError) in
      var added = 0
      for change in changes {
        self.units -= try scope.units { () throws(ExpressionError) in
          try results.forEach(in: change.removed) { (run) throws(ExpressionError) in
            try elements.slots(of: run)
          }
        }
        var new: ContiguousArray<Value> = []
        self.units += try scope.units { () throws(ExpressionError) in
          try results.forEach(in: change.added) { (run) throws(ExpressionError) in
            try self.outputs == nil ? elements.slots(of: run) : elements.append(run, to: &new)
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
    return true
  }
}

/// Evaluates the function of a list on elements.
private struct ListElements {
  private let function: ElementFunction
  private let scope: Scope
  private var filter: Filter?

  init(_ function: ElementFunction, _ scope: Scope) {
    self.function = function
    self.scope = scope
    self.filter = function.filter(scope)
  }

  /// Appends the outputs of elements, and returns the slots of those that have some.
  mutating func append(
    _ run: ValueRun, to outputs: inout ContiguousArray<Value>
  ) throws(ExpressionError) -> SlotSet {
    if let batch = run.batch,
      let slots = try self.filter?.append(outputsOf: batch, run.slots, to: &outputs)
    {
      return slots
    }
    try run.forEach { (element) throws(ExpressionError) in
      try self.function.append(outputsOf: element, to: &outputs, self.scope)
    }
    return run.slots
  }

  /// Evaluates elements whose outputs are not needed: they are removed, or are the elements.
  mutating func slots(of run: ValueRun) throws(ExpressionError) -> SlotSet {
    if let batch = run.batch, let slots = try self.filter?.matches(charging: batch, run.slots) {
      return slots
    }
    var outputs: ContiguousArray<Value> = []
    return try self.append(run, to: &outputs)
  }
}

extension PartialResults {
  /// Calls `body` with some elements of each leaf. It returns the slots of those with an output.
  func forEach(
    in runs: [ValueRun], _ body: (ValueRun) throws(ExpressionError) -> SlotSet
  ) throws(ExpressionError) {
    for run in runs {
      self.countElements(run.slots.count)
      run.keep(try body(run))
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
