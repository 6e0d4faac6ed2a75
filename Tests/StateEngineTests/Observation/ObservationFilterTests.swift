import ImmutableJSON
import StateEngine
import TestSupport
import Testing

@Suite struct ObservationFilterTests {
  struct Case: CustomTestStringConvertible {
    let filter: Bool?
    let changed: [Bool]
    let output: Bool
    let isCalled: Bool

    var testDescription: String {
      "filter \(self.filter.map(String.init) ?? "none"), dependencies \(self.changed), "
        + "output \(self.output)"
    }
  }

  static var cases: [Case] {
    [nil, false, true].flatMap { filter in
      [[], [false], [true], [false, false], [true, true], [false, true]].flatMap { changed in
        [false, true].map { output in
          let isConcerned = filter != false && (changed.isEmpty || changed.contains(true))
          return Case(
            filter: filter, changed: changed, output: output, isCalled: isConcerned && output)
        }
      }
    }
  }

  @Test(arguments: Self.cases)
  func theObserverIsCalled(_ row: Case) throws {
    let store = try makeMergeStore(["d0": 0, "d1": 0, "out": 0])
    for name in ["d0", "d1", "out"] {
      try store.define(name, name)
    }
    var options = ObservationOptions()
    options.dependencies = row.changed.indices.map { "d\($0)" }
    options.ignored = row.filter == nil ? [] : [ActionPattern("skip/*")]
    let deliveries = DeliveryRecorder()
    try store.observe("out", [:], options) { deliveries.append($0) }
    var payload = row.changed.enumerated().map { ("d\($0)", Value.integer($1 ? 1 : 0)) }
    payload.append(("out", row.output ? 1 : 0))
    try store.merge(
      .object(JSONObject(payload)), type: row.filter == false ? "skip/this" : "keep/this")
    #expect(deliveries.texts == (row.isCalled ? ["0", "1"] : ["0"]))
  }
}
