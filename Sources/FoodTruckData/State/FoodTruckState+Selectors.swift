import HashTreeCollections
import ProductSupport

// The selectors return orders with the current donuts: those on the menu with the ids of the
// order's own donuts, in the same order. Donuts that are not on the menu are left out.

extension FoodTruckState {
  /// The orders that contain a text, by id. O(n).
  ///
  /// - Parameter searchText: What an order must contain in its id, the name of a donut or that of
  ///   an ingredient, ignoring case; empty for all orders.
  public static func selectOrders(
    searchText: String = ""
  ) -> @Sendable (Self) -> TreeDictionary<Order.ID, Order> {
    { state in
      let search = OrderSearch(searchText, in: state.donuts)
      return state.orders.filter { search.includes($0.value) }
        .mapValues { $0.joined(with: state.donuts) }
    }
  }

  /// The orders that contain a text, sorted by the first key, those with equal first keys by the
  /// second, and so on; orders with equal keys by the bytes of their ids, ascending.
  /// O(n + m log m) for the m orders found.
  public static func selectOrdersValues(
    searchText: String = "", sort: [OrderSort] = []
  ) -> @Sendable (Self) -> [Order] {
    self.selectOrdersValues(searchText) { $0.sorted(by: OrderSort.keys(sort)) }
  }

  /// The first `count` orders of ``selectOrdersValues(searchText:sort:)``, without sorting the
  /// others; none if `count` is negative. O(n + m log `count`) for the m orders found.
  public static func selectOrdersValues(
    searchText: String = "", min count: Int, sort: [OrderSort] = []
  ) -> @Sendable (Self) -> [Order] {
    self.selectOrdersValues(searchText) { $0.first(count, sortedBy: OrderSort.keys(sort)) }
  }

  /// No sort key depends on the donuts, so orders are joined after they are sorted.
  private static func selectOrdersValues(
    _ searchText: String, _ sorted: @escaping @Sendable ([Order]) -> [Order]
  ) -> @Sendable (Self) -> [Order] {
    { state in
      let orders = state.orderTable.list
      let search = OrderSearch(searchText, in: state.donuts)
      let found = sorted(searchText.isEmpty ? orders : orders.filter(search.includes))
      // The orders of the dictionary have kept their identity.
      return found.compactMap { state.orders[$0.id]?.joined(with: state.donuts) }
    }
  }

  /// The statuses of some orders, by id. Ids of unknown orders are left out.
  public static func selectOrdersStatuses(
    orderIDs: [Order.ID]
  ) -> @Sendable (Self) -> [Order.ID: OrderStatus] {
    { state in
      // By the orders' own ids: an argument may be canonically equivalent to the id.
      orderIDs.compactMap { state.orders[$0] }.reduce(into: [:]) { $0[$1.id] = $1.status }
    }
  }

  /// An order; `nil` if it is unknown, or for no id.
  public static func selectOrder(orderID: Order.ID?) -> @Sendable (Self) -> Order? {
    { state in orderID.flatMap { state.orders[$0] }?.joined(with: state.donuts) }
  }
}
