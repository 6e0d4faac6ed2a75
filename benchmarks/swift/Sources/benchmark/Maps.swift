import HashTreeCollections
import ImmutableJSON

/// `JSONObject` of `count` members beside `TreeDictionary` and, for copies, `Dictionary`.
func measureMaps(count: Int, _ name: String) {
  let operations = 16_384
  let members = (0..<count).map { ("k\($0)", Value.integer(Int64($0))) }
  let keys = (0..<operations).map { "k\(scattered($0, count))" }
  var ours = Subject(JSONObject(members: members), keys)
  var tree = Subject(TreeDictionary<String, Value>(members: members), keys)

  var times = measureInTurns(operations: operations, [{ ours.get() }, { tree.get() }])
  precondition(ours.sum == tree.sum)
  printRow("JSONObject: get, of \(name)", times[0], "TreeDictionary", times[1], "s")

  times = measureInTurns(operations: operations, [{ ours.set() }, { tree.set() }])
  printRow("JSONObject: set in place, of \(name)", times[0], "TreeDictionary", times[1], "s")

  times = measureInTurns(operations: operations, [{ ours.copyAndSet() }, { tree.copyAndSet() }])
  printRow("JSONObject: copy and set, of \(name)", times[0], "TreeDictionary", times[1], "s")

  // A copy of a larger Dictionary takes seconds for all of the keys.
  if count <= 65_536 {
    let few = max(16, min(operations, 1_048_576 / count))
    ours = Subject(ours.map, Array(keys.prefix(few)))
    var flat = Subject(Dictionary<String, Value>(members: members), Array(keys.prefix(few)))
    times = measureInTurns(operations: few, [{ ours.copyAndSet() }, { flat.copyAndSet() }])
    printRow("JSONObject: copy and set, of \(name)", times[0], "Dictionary", times[1], "s")
  }
}

/// The number of the i-th of `count` members to be used, in no order to speak of. `count` has to be
/// a power of 2.
private func scattered(_ i: Int, _ count: Int) -> Int {
  Int((UInt32(truncatingIfNeeded: i) &* 2_654_435_761) >> 7) & (count - 1)
}
