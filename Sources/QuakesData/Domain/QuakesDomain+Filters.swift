import StateEngine

extension QuakesDomain {
  public static var filters: [FilterDescription<QuakesState, QuakesAction>] {
    [
      .init(
        "filterQuakes", "The actions that may change the quakes.", QuakesFilter.filterQuakes())
    ]
  }
}
