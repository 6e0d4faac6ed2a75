import ImmutableJSON

/// The elements of a collection in sorted order.
///
/// The sort is stable, so equal keys are in the order of their elements. An index would change with
/// each insertion before it. So each element has a label, which stays the same: labels ascend, with
/// gaps for new ones.
final class KeptOrder: Kept {
  /// The labels of the elements, in the order of the collection.
  private var labels: JSONArray = []

  private var entries = SortedEntries()

  /// The elements in the order of the entries.
  private var sorted: JSONArray = []

  /// The kind of all keys.
  private var kind: SortKey?

  /// The units of evaluating the sort keys.
  private var units = 0

  private var lastLabel: Int64 = 0

  override var bytes: Int {
    super.bytes + 92 * self.sorted.count
  }

  /// The gaps between the first labels, and those left on one side of a new one.
  private static var gap: Int64 { 1 << 31 }
  private static var smallGap: Int64 { 1 << 12 }
}

extension KeptOrder {
  /// - Returns: `nil` also if there is no label for a new element.
  func update(
    to values: ValueSequence, _ arguments: Arguments, _ results: PartialResults
  ) throws(ExpressionError) -> Value? {
    guard let changes = self.mirror.changes(to: values) else { return nil }
    let isNew = self.sorted.isEmpty
    let count = values.underestimatedCount
    var hasRoom = true
    arguments.scope.prepareLookups()
    try arguments.scope.charging { () throws(ExpressionError) in
      for change in changes where hasRoom {
        let (old, _) = try self.keys(in: change.removed, -1, arguments, results)
        let (new, elements) = try self.keys(in: change.added, 1, arguments, results)
        if isNew {
          self.build(new, elements)
        } else {
          hasRoom = try self.replace(change.index, old, new, elements)
        }
      }
      self.mirror.finish()
      guard hasRoom else { return 0 }
      return self.units + arguments.unitsOfSorting(count, self.kind ?? .number(.integer(0)))
    }
    return hasRoom ? try arguments.array(self.sorted) : nil
  }

  /// The sort keys of some elements. Counts their units.
  private func keys(
    in runs: [ValueRun], _ sign: Int, _ arguments: Arguments, _ results: PartialResults
  ) throws(ExpressionError) -> ([SortKey], ContiguousArray<Value>) {
    var (keys, elements): ([SortKey], ContiguousArray<Value>) = ([], [])
    let argument = arguments.call.function.expressionIndex
    self.units +=
      sign
      * (try arguments.scope.units { () throws(ExpressionError) in
        try results.forEach(in: runs) { (run) throws(ExpressionError) in
          try run.forEach { (element) throws(ExpressionError) in
            let key = try arguments.keptKey(of: element, by: argument)
            if self.kind == nil { self.kind = key }
            guard self.kind?.isSameKind(as: key) == true else { throw .notKept }
            keys.append(key)
            elements.append(element)
          }
          return run.slots
        }
      })
    return (keys, elements)
  }

  private func build(_ keys: [SortKey], _ elements: ContiguousArray<Value>) {
    let order = keys.order
    self.labels = JSONArray(keys.indices.map { .integer(Int64($0) * Self.gap) })
    self.entries = SortedEntries(
      ContiguousArray(order.map { .init(key: keys[$0], label: Int64($0) * Self.gap) }))
    self.sorted = JSONArray(order.map { elements[$0] })
  }

  /// Replaces the elements from an index on.
  ///
  /// - Returns: `false` if there is no label for a new element.
  private func replace(
    _ index: Int, _ old: [SortKey], _ new: [SortKey], _ elements: ContiguousArray<Value>
  ) throws(ExpressionError) -> Bool {
    for offset in 0..<max(old.count, new.count) {
      if offset >= new.count {
        try self.remove(old[offset], self.label(at: index + new.count))
        self.labels.remove(at: index + new.count)
      } else if offset >= old.count {
        guard let label = self.newLabel(at: index + offset) else { return false }
        self.labels.insert(.integer(label), at: index + offset)
        self.insert(new[offset], label, elements[offset])
      } else {
        let label = self.label(at: index + offset)
        if old[offset] < new[offset] || new[offset] < old[offset] {
          try self.remove(old[offset], label)
          self.insert(new[offset], label, elements[offset])
        } else {
          let entry = SortedEntries.Entry(key: old[offset], label: label)
          guard let index = self.entries.replace(entry, by: new[offset]) else { throw .notKept }
          if self.sorted[index] != elements[offset] { self.sorted[index] = elements[offset] }
        }
      }
    }
    return true
  }

  private func insert(_ key: SortKey, _ label: Int64, _ element: Value) {
    self.sorted.insert(element, at: self.entries.insert(.init(key: key, label: label)))
  }

  private func remove(_ key: SortKey, _ label: Int64) throws(ExpressionError) {
    guard let index = self.entries.remove(.init(key: key, label: label)) else { throw .notKept }
    self.sorted.remove(at: index)
  }

  private func label(at index: Int) -> Int64 {
    if case .integer(let label) = self.labels[index] { label } else { 0 }
  }

  /// A label between those before and at an index; `nil` if there is none.
  ///
  /// Elements are often inserted beside the last one, before or after it. The gap on that side
  /// stays large.
  private func newLabel(at index: Int) -> Int64? {
    let next = index < self.labels.count ? self.label(at: index) : nil
    let previous = index > 0 ? self.label(at: index - 1) : nil
    guard let next else { return self.use(previous.map { $0.addingReportingOverflow(Self.gap) }) }
    guard let previous else { return self.use(next.subtractingReportingOverflow(Self.gap)) }
    let half = (next - previous) / 2
    guard half > 0 else { return nil }
    let step = min(half, Self.smallGap)
    self.lastLabel =
      previous == self.lastLabel
      ? previous + step
      : next == self.lastLabel ? next - step : previous + half
    return self.lastLabel
  }

  private func use(_ label: (partialValue: Int64, overflow: Bool)?) -> Int64? {
    guard let label, !label.overflow else { return label == nil ? 0 : nil }
    self.lastLabel = label.partialValue
    return label.partialValue
  }
}
