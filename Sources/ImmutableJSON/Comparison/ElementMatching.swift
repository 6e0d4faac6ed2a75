/// Finds elements that have moved, among those that a comparison by position found to differ.
///
/// Equal elements are matched, the first with the first. The longest sequence of elements in the
/// same order stays, and the others move. What this finds depends on the contents of the arrays
/// only, not on what they share.
///
/// For m differing elements, O(m log m) and the comparisons of equal ones.
struct ElementMatching {
  /// Elements that stay or change in the same order: one, or a run that both arrays have.
  private struct Run {
    let old: Int
    let new: Int
    let count: Int
    var isChanged = false
  }

  /// Elements of the old array that are not in a run, in ascending order, and where they go; `nil`
  /// for those that are removed.
  private var leaving: [(old: Int, new: Int?)] = []

  /// Elements of the new array that are not in a run, in ascending order, and where they come from.
  private var coming: [(new: Int, old: Int?)] = []

  private var runs: [Run] = []

  /// How many operations it takes. A change of an array or object counts twice.
  private(set) var cost = 0
}

extension ElementMatching {
  /// - Parameter steps: What the comparison by position found.
  /// - Returns: `nil` if no elements match, or if matching takes more work than its budget.
  init?(
    _ old: JSONArray, _ new: JSONArray, _ steps: [ElementChanges.Change],
    _ comparison: inout ValueComparison, _ budget: inout WorkBudget
  ) {
    let removed = steps.filter(\.kind.isLeaving).map(\.oldIndex)
    let added = steps.filter(\.kind.isComing).map(\.newIndex)
    guard !removed.isEmpty, !added.isEmpty,
      let pairs = try? Self.match(old, removed, new, added, &comparison, &budget), !pairs.isEmpty
    else { return nil }
    let common = Self.commonRuns(steps, old.count)
    let candidates = (common + pairs).sorted { $0.old < $1.old }
    self.runs = Self.longestSequence(candidates)
    self.sort(candidates, removed, added, old, new)
  }
}

// MARK: Matching

extension ElementMatching {
  /// The number of different values with the same hash beyond which one is not matched.
  private static var maxCollisions: Int { 8 }

  /// Pairs of equal elements, by the new index.
  private static func match(
    _ old: JSONArray, _ removed: [Int], _ new: JSONArray, _ added: [Int],
    _ comparison: inout ValueComparison, _ budget: inout WorkBudget
  ) throws(WorkLimitError) -> [Run] {
    struct Class {
      let value: Value
      var indices: [Int]
      var used = 0
    }
    var classes: [Class] = []
    var byHash: [Int: [Int]] = [:]
    var equality = ElementEquality()

    func find(_ value: Value) throws(WorkLimitError) -> (index: Int?, hash: Int) {
      let hash = value.hashOfBeginning
      try budget.charge(4)
      let known = byHash[hash] ?? []
      for index in known
      where try equality.areEqual(classes[index].value, value, &comparison, &budget) {
        return (index, hash)
      }
      return (nil, hash)
    }

    for index in removed {
      let value = old[index]
      let (found, hash) = try find(value)
      if let found {
        classes[found].indices.append(index)
      } else if byHash[hash, default: []].count < self.maxCollisions {
        byHash[hash, default: []].append(classes.count)
        classes.append(Class(value: value, indices: [index]))
      }
    }
    var pairs: [Run] = []
    for index in added {
      guard let found = try find(new[index]).index,
        classes[found].used < classes[found].indices.count
      else { continue }
      pairs.append(Run(old: classes[found].indices[classes[found].used], new: index, count: 1))
      classes[found].used += 1
    }
    return pairs
  }

  /// The runs of elements between the steps, which are equal in both arrays.
  private static func commonRuns(_ steps: [ElementChanges.Change], _ count: Int) -> [Run] {
    var runs: [Run] = []
    var (old, new) = (0, 0)
    for step in steps {
      if step.oldIndex > old { runs.append(Run(old: old, new: new, count: step.oldIndex - old)) }
      old = step.oldIndex + (step.kind.isLeaving ? 1 : 0)
      new = step.newIndex + (step.kind.isComing ? 1 : 0)
    }
    if count > old { runs.append(Run(old: old, new: new, count: count - old)) }
    return runs
  }

  /// The runs with most elements whose new indices ascend, too.
  ///
  /// - Parameter runs: By the old index.
  private static func longestSequence(_ runs: [Run]) -> [Run] {
    let ranks = runs.indices.sorted { runs[$0].new < runs[$1].new }
    var rank = [Int](repeating: 0, count: runs.count)
    for (position, index) in ranks.enumerated() { rank[index] = position + 1 }
    // A Fenwick tree of the heaviest sequence that ends at a rank or before.
    var tree = [(weight: Int, last: Int)](repeating: (0, -1), count: runs.count + 1)
    var previous = [Int](repeating: -1, count: runs.count)
    var best = (weight: 0, last: -1)
    for (index, run) in runs.enumerated() {
      var heaviest = (weight: 0, last: -1)
      var position = rank[index] - 1
      while position > 0 {
        if tree[position].weight > heaviest.weight { heaviest = tree[position] }
        position &= position - 1
      }
      previous[index] = heaviest.last
      let sequence = (weight: heaviest.weight + run.count, last: index)
      if sequence.weight > best.weight { best = sequence }
      position = rank[index]
      while position < tree.count {
        if sequence.weight > tree[position].weight { tree[position] = sequence }
        position += position & -position
      }
    }
    var result: [Run] = []
    var next = best.last
    while next >= 0 {
      result.append(runs[next])
      next = previous[next]
    }
    return result.reversed()
  }

  /// Sorts out what stays, moves, changes, comes and goes.
  private mutating func sort(
    _ candidates: [Run], _ removed: [Int], _ added: [Int], _ old: JSONArray, _ new: JSONArray
  ) {
    let (stayingOld, stayingNew) = (Set(self.runs.map(\.old)), Set(self.runs.map(\.new)))
    var (destinations, sources): ([Int: Int], [Int: Int]) = ([:], [:])
    for run in candidates where !stayingOld.contains(run.old) {
      for offset in 0..<run.count {
        destinations[run.old + offset] = run.new + offset
        sources[run.new + offset] = run.old + offset
      }
    }
    // No run that both arrays have begins with an element that differs by position.
    let leaving = Set(removed).subtracting(stayingOld).union(destinations.keys).sorted()
    let coming = Set(added).subtracting(stayingNew).union(sources.keys).sorted()
    var (left, right) = (leaving[...], coming[...])
    var merged: [Run] = []
    for run in self.runs + [Run(old: old.count, new: new.count, count: 0)] {
      let (gone, came) = (left.prefix { $0 < run.old }, right.prefix { $0 < run.new })
      (left, right) = (left.dropFirst(gone.count), right.dropFirst(came.count))
      // Elements without a match change into the new ones of the same gap, in order.
      let changes = zip(gone.filter { destinations[$0] == nil }, came.filter { sources[$0] == nil })
        .map { Run(old: $0, new: $1, count: 1, isChanged: true) }
      self.cost += changes.reduce(0) { $0 + ElementChanges.cost(old[$1.old], new[$1.new]) }
      let (changedOld, changedNew) = (Set(changes.map(\.old)), Set(changes.map(\.new)))
      for index in gone where !changedOld.contains(index) {
        self.leaving.append((index, destinations[index]))
        self.cost += 1
      }
      for index in came where !changedNew.contains(index) {
        self.coming.append((index, sources[index]))
        self.cost += sources[index] == nil ? 1 : 0
      }
      merged += changes + [run]
    }
    self.runs = merged
  }
}

// MARK: Changes

extension ElementMatching {
  /// The changes one after another. An index is one of the array with all preceding ones applied.
  ///
  /// The new array is made from its first element on. Elements that move to a later place are
  /// passed over: they wait in front of the rest of the old array until their place is reached.
  ///
  /// ```
  /// made so far, and between it what waits │ the rest of the old array
  /// ```
  func changes(_ old: JSONArray, _ new: JSONArray) -> [ElementChanges.Change] {
    var changes: [ElementChanges.Change] = []
    var (made, waiting) = (0, 0)
    var (nextLeaving, nextComing) = (0, 0)
    // By the position in `leaving`.
    var passedAt = [Int?](repeating: nil, count: self.leaving.count)
    var (waits, taken) = (
      PrefixCounts(self.leaving.count), PrefixCounts(self.leaving.count)
    )
    let positions = Dictionary(
      uniqueKeysWithValues: self.leaving.indices.map { (self.leaving[$0].old, $0) })

    func append(_ index: Int, _ oldIndex: Int, _ kind: ElementChanges.Change.Kind) {
      changes.append(.init(index: index, oldIndex: oldIndex, newIndex: made, kind: kind))
    }

    for run in self.runs {
      while nextLeaving < self.leaving.count, self.leaving[nextLeaving].old < run.old {
        if self.leaving[nextLeaving].new == nil {
          append(made + waiting, self.leaving[nextLeaving].old, .removed)
        } else if !taken.contains(nextLeaving) {
          passedAt[nextLeaving] = made
          waits.insert(nextLeaving)
          waiting += 1
        }
        nextLeaving += 1
      }
      while nextComing < self.coming.count, self.coming[nextComing].new < run.new {
        let (index, source) = self.coming[nextComing]
        nextComing += 1
        if let source, let position = positions[source] {
          let from: Int
          if let passed = passedAt[position] {
            from = passed + waits.count(before: position)
            waits.remove(position)
            waiting -= 1
          } else {
            from =
              made + waiting + source - run.old
              - (taken.count(before: position) - taken.count(before: nextLeaving))
            taken.insert(position)
          }
          if from != made + waiting { append(made + waiting, source, .moved(from: from)) }
        } else {
          append(made + waiting, run.old, .added(new[index]))
        }
        made += 1
      }
      if run.isChanged {
        append(made + waiting, run.old, .changed(old[run.old], new[run.new]))
      }
      made += run.count
    }
    return changes
  }
}

/// A set of small integers that counts those before one: a Fenwick tree. O(log n).
private struct PrefixCounts {
  private var isMember: [Bool]
  private var tree: [Int]

  init(_ count: Int) {
    self.isMember = [Bool](repeating: false, count: count)
    self.tree = [Int](repeating: 0, count: count + 1)
  }

  func contains(_ index: Int) -> Bool {
    self.isMember[index]
  }

  mutating func insert(_ index: Int) {
    self.isMember[index] = true
    self.add(1, at: index)
  }

  mutating func remove(_ index: Int) {
    self.isMember[index] = false
    self.add(-1, at: index)
  }

  func count(before index: Int) -> Int {
    var (position, sum) = (index, 0)
    while position > 0 {
      sum += self.tree[position]
      position &= position - 1
    }
    return sum
  }

  private mutating func add(_ number: Int, at index: Int) {
    var position = index + 1
    while position < self.tree.count {
      self.tree[position] += number
      position += position & -position
    }
  }
}
