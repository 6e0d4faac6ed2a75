import HashTreeCollections
import ProductSupport

/// A search for orders by a text, ignoring case.
struct OrderSearch: Sendable {
  private let text: TextSearch

  /// The donuts whose name, or the name of one of their ingredients, contains the text.
  private let donuts: Set<Donut.ID>

  init(_ text: String, in donuts: TreeDictionary<Donut.ID, Donut>) {
    let search = TextSearch(text)
    self.text = search
    self.donuts = Set(
      donuts.values.lazy.filter { donut in
        search.matches(donut.name) || donut.ingredientNames.contains(where: search.matches)
      }.map(\.id))
  }

  /// Whether the id of the order, or one of its donuts that are on the menu, contains the text.
  func includes(_ order: Order) -> Bool {
    self.text.matches(order.id) || order.donuts.contains { self.donuts.contains($0.id) }
  }
}
