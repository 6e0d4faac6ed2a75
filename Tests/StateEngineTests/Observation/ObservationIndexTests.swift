import ImmutableJSON
import StateEngine
import TestSupport
import Testing

@Suite struct ObservationIndexTests {
  @Test func onlyAffectedObservationsAreVisited() throws {
    let keys = (0..<100).map { "k\($0)" }
    let record: Value = ["f": 1, "g": ["h": 2]]
    let store = try makeMergeStore([
      "records": .object(JSONObject(keys.map { ($0, record) })), "other": 1,
    ])
    let recorders = keys.map { _ in DeliveryRecorder() }
    for (key, recorder) in zip(keys, recorders) {
      try store.observe(expression: "records.\(key).g", to: recorder)
    }
    // Also if an argument determines what is read.
    let byArgument = DeliveryRecorder()
    try store.define("record", "get(records, $key).g")
    try store.observe("record", ["key": "k7"]) { [byArgument] in byArgument.append($0) }
    try store.merge(["records": ["k6": ["g": ["h": 2]]]])
    #expect(try store.statistics()["visits"] == 0)
    try store.merge(["records": ["k7": ["g": ["h": 3]]]])
    #expect(byArgument.texts == [#"{"h":2}"#, #"{"h":3}"#])
    #expect(try store.statistics()["visits"] == 2)
    try store.merge(["records": ["k7": ["f": 3]]])
    try store.merge(["other": 2])
    #expect(try store.statistics()["visits"] == 2)
    #expect(recorders.map(\.all.count) == keys.map { $0 == "k7" ? 2 : 1 })
    try store.merge(["records": ["k8": .null, "k9": 1, "new": ["g": 1]]])
    #expect(try store.statistics()["visits"] == 4)
    #expect(recorders[8].texts == [#"{"h":2}"#, "null"])
    #expect(recorders[9].texts == [#"{"h":2}"#, "null"])
    try store.merge(["records": 1])
    // The parts that k8 reads were null already.
    #expect(try store.statistics()["visits"] == 104)
    #expect(recorders.map { $0.texts.last } == keys.map { _ in "null" })
  }

  /// The index finds the value of a path, which is then not evaluated.
  @Test func theOutputOfAPathIsThatOfASelect() throws {
    let store = try makeMergeStore(["records": ["k1": ["f": 1], "k2": ["f": 1]]])
    try store.define("record", "get(records, $id)")
    try store.define("field", "get(records, $id).f")
    let (record, field) = (DeliveryRecorder(), DeliveryRecorder())
    try store.observe("record", ["id": "k1"]) { [record] in record.append($0) }
    try store.observe("field", ["id": "k1"]) { [field] in field.append($0) }
    let changes: [Value] = [
      ["records": ["k1": ["f": 2]]], ["records": ["k1": ["f": ["g": 1.5]]]],
      ["records": ["k2": ["f": 3]]], ["records": ["k1": .null]], ["records": ["k1": "text"]],
      ["records": 1], ["records": .null], ["records": ["k1": [1, 2]]], ["records": [1]],
      ["records": ["k1": ["f": "é"]]],
    ]
    for change in changes {
      try store.merge(change)
      #expect(record.texts.last == (try store.select("record", ["id": "k1"])).json)
      #expect(field.texts.last == (try store.select("field", ["id": "k1"])).json)
    }
    #expect(record.all.count == 9)
    #expect(field.all.count == 5)
  }

  @Test func aCancelledObservationIsNotVisited() throws {
    let store = try makeMergeStore(["a": ["b": 1]])
    let (first, second) = (DeliveryRecorder(), DeliveryRecorder())
    let observation = try store.observe(expression: "a.b", to: first)
    try store.observe(expression: "a", to: second)
    observation.cancel()
    try store.merge(["a": ["b": 2]])
    #expect(try store.statistics()["visits"] == 1)
    #expect(first.texts == ["1"])
    #expect(second.texts == [#"{"b":1}"#, #"{"b":2}"#])
  }

  /// Beside no and beside many other paths, which the index searches differently.
  @Test(arguments: [0, 20])
  func observationsOfOnePathAndOfLongerOnesAreIndependent(others: Int) throws {
    let paths = ["a.b", "a.b.c", "a.b", "a.b.d", "a"]
    for first in paths.indices {
      for second in paths.indices where second != first {
        let store = try makeMergeStore(["a": ["b": ["c": 1, "d": 1]]])
        for other in 0..<others {
          try store.observe(expression: "a.k\(other)", to: DeliveryRecorder())
        }
        let recorders = paths.map { _ in DeliveryRecorder() }
        var observations: [StoreObservation] = []
        for (path, recorder) in zip(paths, recorders) {
          observations.append(try store.observe(expression: path, to: recorder))
        }
        try store.merge(["a": ["b": ["c": 2]]])
        #expect(recorders.map(\.all.count) == [2, 2, 2, 1, 2])
        observations[first].cancel()
        try store.merge(["a": ["b": ["c": 3, "d": 3]]])
        observations[second].cancel()
        try store.merge(["a": ["b": ["c": 4, "d": 4]]])
        for index in paths.indices {
          let count = [4, 4, 4, 3, 4][index]
          let missed = index == first ? 2 : index == second ? 1 : 0
          #expect(recorders[index].all.count == count - missed, "\(paths[index])")
        }
        for index in paths.indices { observations[index].cancel() }
        try store.merge(["a": 1])
        #expect(try store.statistics()["observations"] == .integer(Int64(others)))
      }
    }
  }

  @Test func aFilteredChangeIsDeliveredAfterTheNextAction() throws {
    let store = try makeMergeStore(["a": 1, "b": 1])
    let deliveries = DeliveryRecorder()
    try store.observe(expression: "a", [:], ["ignore": ["ui/*"]], to: deliveries)
    try store.merge(["a": 2], type: "ui/set")
    #expect(deliveries.texts == ["1"])
    try store.merge(["b": 2], type: "data/set")
    #expect(deliveries.texts == ["1", "2"])
  }
}
