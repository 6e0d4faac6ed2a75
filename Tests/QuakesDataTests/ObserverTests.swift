import ImmutableData
import ImmutableObservation
import QuakesData
import TestSupport
import Testing

/// Observers as a user interface combines selectors: filter, dependency and output.
@Suite struct ObserverTests {
  private static let times: [String: Int64] = ["1": 1_000, "2": 2_000, "later": 100_000_000]

  @Test func theOutputIsSelectedOnlyIfItsDependencyChanged() throws {
    let store = Store(initialState: QuakesState(), reducer: QuakesReducer.reduce)
    let day = try Range<Timestamp>.day("1970-01-01")
    let values = QuakesState.selectQuakesValues(searchTimes: day, order: .reverse)
    let selected = Recorder<[String]>()
    let observer = Observer(
      filter: QuakesFilter.filterQuakes(),
      dependencySelector: ObserverSelector(select: QuakesState.selectQuakes(searchTimes: day)),
      outputSelector: ObserverSelector { (state: QuakesState) in
        let output = values(state)
        selected.append(output.map(\.id))
        return output
      })
    observer.listen(to: store)
    for ids in [["1"], ["later"], ["1", "2"], ["2"]] {
      let quakes = ids.map { Quake($0, time: Self.times[$0] ?? 0) }
      try store.dispatch(
        action: .data(
          .persistentSession(.remoteStore(.didFetchQuakes(result: .success(quakes: quakes))))))
    }
    try store.dispatch(action: .ui(.quakeList(.onAppear)))
    try store.dispatch(action: .ui(.quakeList(.onTapDeleteSelectedQuakeButton(quakeId: "later"))))
    try store.dispatch(action: .ui(.quakeList(.onTapDeleteSelectedQuakeButton(quakeId: "2"))))
    #expect(selected.all == [[], ["1"], ["2", "1"], ["1"]])
    #expect(observer.output?.map(\.id) == ["1"])
  }
}
