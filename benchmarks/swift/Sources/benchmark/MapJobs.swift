import HashTreeCollections
import ImmutableJSON

/// Compares a `JSONObject` of `count` members with `TreeDictionary` and `Dictionary`.
func measureMaps(count: Int) {
  let operations = 16_384
  let members = (0..<count).map { ("k\($0)", Value.integer(Int64($0))) }
  let keys = (0..<operations).map { "k\(scattered($0, count))" }
  var ours = Subject(JSONObject(members: members), keys)
  var tree = Subject(TreeDictionary<String, Value>(members: members), keys)
  var flat = Subject(Dictionary<String, Value>(members: members), keys)
  measure(
    "get a value of a map", count,
    [(operations, { ours.get() }), (operations, { tree.get() }), (operations, { flat.get() })])
  precondition(ours.sum == tree.sum && ours.sum == flat.sum)
  measure(
    "set a value in place", count,
    [(operations, { ours.set() }), (operations, { tree.set() }), (operations, { flat.set() })])

  // A copy of a large Dictionary takes milliseconds.
  let few = max(4, min(operations, 1_048_576 / count))
  flat = Subject(flat.map, Array(keys.prefix(few)))
  measure(
    "set a value, keeping the previous map", count,
    [
      (operations, { ours.copyAndSet() }), (operations, { tree.copyAndSet() }),
      (few, { flat.copyAndSet() }),
    ])

  let inserts = min(operations, count / 4)
  let fewInserts = min(few, inserts)
  let newKeys = (0..<inserts).map { "n\($0)" }
  ours = Subject(ours.map, newKeys)
  tree = Subject(tree.map, newKeys)
  flat = Subject(flat.map, Array(newKeys.prefix(fewInserts)))
  measure(
    "insert a value, keeping the previous map", "remove a value, keeping the previous map", count,
    [
      (inserts, { ours.copyAndSet() }), (inserts, { ours.copyAndRemove() }),
      (inserts, { tree.copyAndSet() }), (inserts, { tree.copyAndRemove() }),
      (fewInserts, { flat.copyAndSet() }), (fewInserts, { flat.copyAndRemove() }),
    ])
}

private let names = ["immutabledata, JSONObject", "TreeDictionary", "Dictionary"]

/// Measures the three maps alternately.
private func measure(_ job: String, _ count: Int, _ contestants: [Contestant]) {
  for (name, median) in zip(names, measureInTurns(contestants)) {
    printPoint(job, name, count, median)
  }
}

/// Measures two jobs alternately. Each map performs both, one after the other.
private func measure(
  _ first: String, _ second: String, _ count: Int, _ contestants: [Contestant]
) {
  let medians = measureInTurns(contestants)
  for (index, name) in names.enumerated() {
    printPoint(first, name, count, medians[2 * index])
    printPoint(second, name, count, medians[2 * index + 1])
  }
}

/// The number of the `i`-th member to use, in a scattered order. `count` must be a power of 2.
private func scattered(_ i: Int, _ count: Int) -> Int {
  Int((UInt32(truncatingIfNeeded: i) &* 2_654_435_761) >> 7) & (count - 1)
}
