import StateEngine

extension QuakesDomain {
  public static var filters: [FilterDescription<QuakesState, QuakesAction>] {
    [
      .init(
        "filterQuakes", "The actions that may change the quakes.", QuakesFilter.filterQuakes())
    ]
  }
}

/// Filters for observers: `true` for actions that may change a selector's output.
public enum QuakesFilter {
  /// The filter for selectors of quakes.
  public static func filterQuakes() -> @Sendable (QuakesState, QuakesAction) -> Bool {
    { _, action in
      switch action {
      case .ui(.quakeList(.onTapDeleteSelectedQuakeButton)),
        .ui(.quakeList(.onTapDeleteAllQuakesButton)),
        .ui(.quakeList(.onTapRestoreQuakesButton)),
        .data(.persistentSession(.localStore(.didFetchQuakes(.success)))),
        // A deletion that failed is undone.
        .data(.persistentSession(.localStore(.didDeleteQuake(_, .failure)))),
        .data(.persistentSession(.localStore(.didDeleteAllQuakes(.failure)))),
        .data(.persistentSession(.remoteStore(.didFetchQuakes(.success)))):
        true
      default:
        false
      }
    }
  }
}
