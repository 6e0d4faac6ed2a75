import HashTreeCollections
import ProductSupport

extension QuakesState {
  /// The quakes in an interval whose name contains a text, sorted; quakes with equal keys by the
  /// bytes of their ids, ascending in both orders. O(n), and O(m log m) for the m quakes found.
  public static func selectQuakesValues(
    searchText: String = "", searchTimes: Range<Timestamp>, sort: QuakeSort = .time,
    order: SortOrder = .forward
  ) -> @Sendable (Self) -> [Quake] {
    let filter = QuakeSearch(searchText, searchTimes)
    return { state in
      state.quakes.data.values.filter(filter.includes).sorted(by: [sort.key(order)])
    }
  }

  /// The quakes in an interval whose name contains a text, by id. O(n).
  ///
  /// - Parameters:
  ///   - searchText: Compared by its UTF-8 bytes, hence case-sensitive; empty for all.
  ///   - searchTimes: The interval; `.day("2026-03-29")` is a day in UTC.
  public static func selectQuakes(
    searchText: String = "", searchTimes: Range<Timestamp>
  ) -> @Sendable (Self) -> TreeDictionary<Quake.ID, Quake> {
    let filter = QuakeSearch(searchText, searchTimes)
    return { state in state.quakes.data.filter { filter.includes($0.value) } }
  }

  /// The number of all quakes. O(1).
  public static func selectQuakesCount() -> @Sendable (Self) -> Int {
    { state in state.quakes.data.count }
  }

  /// The status of fetching quakes, or the failure of a later deletion or write.
  public static func selectQuakesStatus() -> @Sendable (Self) -> Status? {
    { state in state.quakes.status }
  }

  public static func selectQuake(quakeId: Quake.ID?) -> @Sendable (Self) -> Quake? {
    { state in quakeId.flatMap { state.quakes.data[$0] } }
  }
}
