import ImmutableJSON
import QuakesData
import StateEngine
import TestSupport
import Testing

/// Changes that Swift's `==` does not see: of the normal form of a text, and of the sign of zero.
@Suite struct NormalizationTests {
  @Test func recordsCompareAllTheirFieldsAsJSON() throws {
    #expect(try inexactMembers(Quake.self, Value(json: quake("1"))) == [])
  }

  @Test(
    arguments: [
      ("selectQuakes", ["searchDate": "1970-01-01"]),
      ("selectQuakesValues", ["searchDate": "1970-01-01"]),
      ("selectQuake", ["quakeId": "1"]),
    ] as [(String, Value)])
  func changesAreSelected(_ selector: String, _ arguments: Value) throws {
    let store = try AnyStore(EffectlessQuakesDomain.self)
    let observed = Recorder<Value>()
    try store.observe(selector, arguments) { delivery in
      if case .value(let output) = delivery.content { observed.append(output) }
    }
    for changed in [
      quake("1", name: "\u{E9}", latitude: "0.0"), quake("1", name: "e\u{301}", latitude: "0.0"),
      quake("1", name: "e\u{301}", latitude: "-0.0"),
    ] {
      try store.dispatch(Value(json: remote("didFetchQuakes", fetched(changed))))
      let expected = try Value(json: changed)
      #expect(try store.state()["quakes"]?["data"]?["1"] == expected)
      let output = try store.select(selector, arguments)
      #expect([expected, ["1": expected], [expected]].contains(output))
      #expect(observed.all.last == output)
    }
  }

  @Test func errorsAreSelected() throws {
    let store = try AnyStore(EffectlessQuakesDomain.self)
    for error in ["\u{E9}", "e\u{301}"] {
      try store.dispatch(
        Value(
          json: remote("didFetchQuakes", #"{"result":{"failure":{"error":"\#(error)"}}}"#)))
      #expect(
        try store.select("selectQuakesStatus") == ["failure": ["error": .string(error)]])
    }
  }

  /// After a canonically equivalent id arrives, the state is still valid as the option `state`.
  @Test func anEquivalentIdReplacesTheKey() throws {
    let store = try AnyStore(EffectlessQuakesDomain.self)
    for id in ["\u{E9}", "e\u{301}"] {
      try store.dispatch(Value(json: remote("didFetchQuakes", fetched(quake(id)))))
      let state = try store.state()
      #expect(try state["quakes"]?["data"] == .object([id: Value(json: quake(id))]))
      let reopened = try AnyStore(EffectlessQuakesDomain.self, options: ["state": state])
      #expect(try reopened.state() == state)
    }
  }
}
