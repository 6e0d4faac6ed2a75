import ProductSupport
import StateEngine

/// The domain `quakes`: earthquakes from a feed, in a cache.
public enum QuakesDomain: Domain {
  public static let name = "quakes"

  public static let summary = "Earthquakes from a feed, in a database that serves as a cache."

  public static var logRefusal: String? {
    "gets its records from a feed and keeps them in a database, which a log cannot restore"
  }

  public static var initialState: QuakesState {
    QuakesState()
  }

  public static func reduce(_ state: QuakesState, _ action: QuakesAction) throws -> QuakesState {
    try QuakesReducer.reduce(state: state, action: action)
  }

  public static var undoable: UndoableActions<QuakesAction> {
    .none(
      because: "the quakes are in a database, which an old state does not change; dispatch "
        + "ui/quakeList/onTapRestoreQuakesButton to put back what was deleted")
  }
}

// MARK: Shapes

extension QuakesDomain {
  /// All numbers come from feeds and actions, which are JSON.
  public static var computesNumbers: Bool { false }

  public static var stateSchema: Schema {
    .object([
      .init(
        "quakes",
        .object([
          .init("data", .dictionary(self.quake), "By id."),
          .init(
            "status", .nullable(.status), isRequired: false,
            "The status of fetching; also the failure of a later change."),
        ]), "The quakes.")
    ])
  }

  private static var quake: Schema {
    .object([
      self.quakeId,
      .init("magnitude", .number, "The magnitude."),
      .init("time", .integer, "When it happened, in milliseconds since 1970."),
      .init("updated", .integer, "When its data last changed, in milliseconds since 1970."),
      .init("name", .string, "The place."),
      .init("longitude", .number, "In degrees, positive in the east."),
      .init("latitude", .number, "In degrees, positive in the north."),
    ])
  }

  private static var quakeId: Schema.Property {
    .init("quakeId", .string, "The id of the quake.")
  }
}

// MARK: Actions

extension QuakesDomain {
  public static var actions: [ActionDescription<Action>] {
    self.uiActions + self.localStoreActions + self.remoteStoreActions
  }

  private static var uiActions: [ActionDescription<Action>] {
    [
      .init(
        "ui/quakeList/onAppear",
        "Reads the cache if there is no status. Dispatch it before the first fetch."),
      .init(
        "ui/quakeList/onTapRefreshQuakesButton", "Fetches a feed.",
        payload: [
          .init(
            "range", .oneOf(QuakeRange.allCases.map(\.rawValue)),
            "The time before now that the feed covers.")
        ]),
      .init(
        "ui/quakeList/onTapDeleteSelectedQuakeButton", "Deletes a quake.",
        payload: [self.quakeId]),
      .init("ui/quakeList/onTapDeleteAllQuakesButton", "Deletes all quakes."),
      .init(
        "ui/quakeList/onTapRestoreQuakesButton",
        "Puts back quakes that were deleted, except those that are there again.",
        payload: [self.quakes]),
    ]
  }

  private static var localStoreActions: [ActionDescription<Action>] {
    let store = "data/persistentSession/localStore"
    return [
      .init(
        "\(store)/didFetchQuakes", "The cache was read.", payload: [.result([self.quakes])]),
      .init(
        "\(store)/didSaveQuakes", "What a feed changed was saved in the cache.",
        payload: [
          .result([.init("changes", .integer, "The number of rows that were written.")])
        ]),
      .init(
        "\(store)/didDeleteQuake", "A quake was deleted from the cache.",
        payload: [
          self.quakeId, self.deletion(.init("quake", self.quake, "The quake, shown again.")),
        ]),
      .init(
        "\(store)/didDeleteAllQuakes", "All quakes were deleted from the cache.",
        payload: [
          self.deletion(.init("quakes", .array(self.quake), "The quakes, shown again."))
        ]),
    ]
  }

  private static var remoteStoreActions: [ActionDescription<Action>] {
    let store = "data/persistentSession/remoteStore"
    return [
      .init(
        "\(store)/didFetchQuakes", "A feed was fetched.", payload: [.result([self.quakes])]),
      .init(
        "\(store)/didSkipFeatures", "A feed has features that are not valid quakes.",
        payload: [
          .init("count", .integer, "Their number."),
          .init("error", .string, "What is wrong with the first one."),
        ]),
    ]
  }

  private static var quakes: Schema.Property {
    .init("quakes", .array(self.quake), "The quakes.")
  }

  /// The result of a deletion; `restored` is what a failure shows again.
  private static func deletion(_ restored: Schema.Property) -> Schema.Property {
    .init(
      "result",
      .variants([
        .init("success", [], "It succeeded."),
        .init("failure", [.reason, restored], "It failed."),
      ]), "The result.")
  }
}
