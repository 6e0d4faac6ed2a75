import ImmutableJSON
import ProductSupport
import StateEngine
import TestSupport
import Testing

@testable import QuakesData

/// The sorted selector of a store updates its previous output. After random actions, the output is
/// that of a plain sort.
@Suite struct SortedSelectorTests {
  @Test(arguments: seeds(3)) func outputsAreThoseOfAPlainSort(_ seed: Int) throws {
    var generator = SeededGenerator(seed)
    let store = try AnyStore.quakes(state())
    for _ in 0..<40 {
      // Deletions of unknown quakes are refused.
      try? store.dispatch(Self.action(&generator))
      try Self.expectAgreement(store)
    }
  }

  /// Few magnitudes, times and names, of which some are not found.
  private static func quake(_ generator: inout SeededGenerator) -> String {
    func any<Element>(_ elements: [Element]) -> Element {
      elements[Int.random(in: elements.indices, using: &generator)]
    }
    return QuakesDataTests.quake(
      any((0..<40).map { "\($0)" }), magnitude: any(["0.0", "-0.0", "1.5", "9.5"]),
      time: any([-1, 0, 1_000, 86_400_000, 86_400_001]), name: any(["West", "East", "Éast", ""]))
  }

  private static func action(_ generator: inout SeededGenerator) -> String {
    switch Int.random(in: 0..<8, using: &generator) {
    case 0: return ui("onTapDeleteAllQuakesButton")
    case 1, 2:
      let id = Int.random(in: 0..<40, using: &generator)
      return ui("onTapDeleteSelectedQuakeButton", #"{"quakeId":"\#(id)"}"#)
    case 3:
      let quakes = (0..<30).map { _ in Self.quake(&generator) }.joined(separator: ",")
      return local("didFetchQuakes", fetched(quakes))
    case 4: return ui("onAppear")
    default: return remote("didFetchQuakes", fetched(Self.quake(&generator)))
    }
  }

  private static func expectAgreement(_ store: AnyStore) throws {
    let state = try store.state().decode(QuakesState.self)
    let day = try Range<Timestamp>.day("1970-01-01")
    for (text, sort, order) in [
      ("", QuakeSort.time, SortOrder.forward), ("", .magnitude, .reverse), ("ast", .time, .reverse),
    ] {
      let arguments: Value = [
        "searchText": .string(text), "searchDate": "1970-01-01",
        "sort": .string(sort.rawValue), "order": .string(order.rawValue),
      ]
      let select = QuakesState.selectQuakesValues(
        searchText: text, searchTimes: day, sort: sort, order: order)
      #expect(try store.select("selectQuakesValues", arguments) == Value(encoding: select(state)))
    }
  }
}
