import ImmutableJSON
import QuakesData
import StateEngine
import TestSupport
import Testing

@Suite struct FilterTests {
  @Test(arguments: [
    (QuakesAction.ui(.quakeList(.onAppear)), false),
    (.ui(.quakeList(.onTapRefreshQuakesButton(range: .allHour))), false),
    (.ui(.quakeList(.onTapDeleteSelectedQuakeButton(quakeId: "1"))), true),
    (.ui(.quakeList(.onTapDeleteAllQuakesButton)), true),
    (.ui(.quakeList(.onTapRestoreQuakesButton(quakes: []))), true),
    (.data(.persistentSession(.localStore(.didFetchQuakes(result: .success(quakes: []))))), true),
    (.data(.persistentSession(.localStore(.didFetchQuakes(result: .failure(error: "no"))))), false),
    (.data(.persistentSession(.remoteStore(.didFetchQuakes(result: .success(quakes: []))))), true),
    (
      .data(.persistentSession(.remoteStore(.didFetchQuakes(result: .failure(error: "no"))))), false
    ),
    (.data(.persistentSession(.remoteStore(.didSkipFeatures(count: 1, error: "no")))), false),
    (.data(.persistentSession(.localStore(.didSaveQuakes(result: .success(changes: 1))))), false),
    (.data(.persistentSession(.localStore(.didSaveQuakes(result: .failure(error: "no"))))), false),
    (
      .data(.persistentSession(.localStore(.didDeleteQuake(quakeId: "1", result: .success)))), false
    ),
    (
      .data(
        .persistentSession(
          .localStore(
            .didDeleteQuake(quakeId: "1", result: .failure(error: "no", quake: Quake("1")))))), true
    ),
    (.data(.persistentSession(.localStore(.didDeleteAllQuakes(result: .success)))), false),
    (
      .data(
        .persistentSession(
          .localStore(.didDeleteAllQuakes(result: .failure(error: "no", quakes: []))))), true
    ),
  ])
  func quakes(_ action: QuakesAction, _ expected: Bool) {
    #expect(QuakesFilter.filterQuakes()(QuakesState(), action) == expected)
  }

  @Test func anObserverCanNameIt() throws {
    let store = try AnyStore(EffectlessQuakesDomain.self)
    let counts = Recorder<Delivery.Content>()
    try store.observe(
      "selectQuakesCount", [:], ObservationOptions(["filter": "filterQuakes"])
    ) { counts.append($0.content) }
    try store.observe("selectQuake", ["quakeId": "1"]) { _ in }
    try store.observe("selectQuake", ["quakeId": "2"]) { _ in }
    for action in [local("didFetchQuakes", fetched(quake("1"))), ui("onAppear")] {
      try store.dispatch(Value(json: action))
    }
    #expect(counts.all == [.value(0), .value(1)])
    // The count, and one of the quakes.
    #expect(try store.statistics()["visits"] == 2)
  }
}
