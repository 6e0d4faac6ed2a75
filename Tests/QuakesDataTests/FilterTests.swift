import ImmutableJSON
import QuakesData
import Testing

@Suite struct FilterTests {
  @Test(arguments: [
    (QuakesAction.ui(.quakeList(.onAppear)), false),
    (.ui(.quakeList(.onTapRefreshQuakesButton(range: .allHour))), false),
    (.ui(.quakeList(.onTapDeleteSelectedQuakeButton(quakeId: "1"))), true),
    (.ui(.quakeList(.onTapDeleteAllQuakesButton)), true),
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
}
