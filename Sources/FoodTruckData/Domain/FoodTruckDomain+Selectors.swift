import HashTreeCollections
import ImmutableJSON
import ProductSupport
import StateEngine

extension FoodTruckDomain {
  public static var selectors: [SelectorDescription<FoodTruckState>] {
    let orders = StatePart<FoodTruckState>(\.orders)
    let joined = [orders, StatePart(\.donuts)]
    return [
      .init(
        "selectOrders", "The orders that contain a text, by id.",
        arguments: [self.searchText], reads: joined
      ) { (state, arguments: Search) in
        FoodTruckState.selectOrders(searchText: arguments.searchText ?? "")(state)
      },
      .init(
        "selectOrdersValues", "The orders that contain a text, sorted.",
        arguments: [self.searchText] + self.sorting, output: .array(Order.schema), reads: joined
      ) { (state, arguments: SortedSearch, memo: inout SortedOrders?) in
        try arguments.select(state, updating: &memo)
      },
      .init(
        "selectOrdersStatuses", "The statuses of the orders with these ids that exist, by id.",
        arguments: Schema.properties(of: SeveralOrders.self, ["/orderIDs": "The ids."]),
        reads: [orders]
      ) { (state, arguments: SeveralOrders) in
        FoodTruckState.selectOrdersStatuses(orderIDs: arguments.orderIDs)(state)
      },
      .init(
        "selectOrder", "An order.",
        arguments: [.init("orderID", .nullable(.string), "The id; null selects nothing.")],
        reads: [StatePart(\.orders, at: "orderID") { $0[$1] }, StatePart(\.donuts)]
      ) { (state, arguments: OneOrder) in
        FoodTruckState.selectOrder(orderID: arguments.orderID)(state)
      },
    ]
  }
}

// MARK: Arguments

extension FoodTruckDomain {
  private static var searchText: Schema.Property {
    .init(
      "searchText", .string, isRequired: false,
      "What the id, the name of a donut or that of an ingredient must contain, ignoring case; "
        + "empty by default, for all.")
  }

  private static var sorting: [Schema.Property] {
    [
      .init(
        "sort",
        .array(
          .object([
            .init("by", .oneOf(OrderSort.Key.allCases.map(\.rawValue)), "The sort key."),
            .init(
              "order", .oneOf(SortOrder.allCases.map(\.rawValue)), isRequired: false,
              "The direction; forward by default."),
          ])), isRequired: false,
        "The sort keys, the most important first; none by default. Equal orders are in order of "
          + "ids."),
      .init(
        "min", .integer, isRequired: false,
        "How many orders to select, from the first; all by default."),
    ]
  }

  private struct Search: Decodable, Sendable {
    var searchText: String?
  }

  private struct SortedSearch: Decodable, Sendable {
    private enum CodingKeys: CodingKey {
      case searchText, sort, min
    }

    let searchText: String
    let sort: [OrderSort]
    let min: Int?

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      self.searchText = try container.decodeIfPresent(String.self, forKey: .searchText) ?? ""
      self.sort = try container.decodeIfPresent([OrderSort].self, forKey: .sort) ?? []
      self.min = try container.decodeIfPresent(Int.self, forKey: .min)
      if let min, min < 0 {
        throw DecodingError.dataCorruptedError(
          forKey: .min, in: container, debugDescription: "\(min) is negative; expected 0 or more")
      }
    }

    func select(_ state: FoodTruckState, updating memo: inout SortedOrders?) throws -> Value {
      let (text, sort) = (self.searchText, self.sort)
      if let min {
        return try Value(
          encoding: FoodTruckState.selectOrdersValues(searchText: text, min: min, sort: sort)(state)
        )
      }
      return try SortedOrders.select(state, updating: &memo) { donuts in
        let search = OrderSearch(text, in: donuts)
        return SortedRecords(by: OrderSort.keys(sort)) {
          text.isEmpty || search.includes($0)
        } encode: {
          try Value(encoding: $0.joined(with: donuts))
        }
      }
    }
  }

  /// Sorted orders with the donuts for which they were found and joined.
  private struct SortedOrders: Sendable {
    let donuts: TreeDictionary<Donut.ID, Donut>
    let orders: SortedRecords<Order.ID, Order>

    static func select(
      _ state: FoodTruckState, updating memo: inout Self?,
      _ make: (TreeDictionary<Donut.ID, Donut>) -> SortedRecords<Order.ID, Order>
    ) throws -> Value {
      let donuts = state.donuts
      var orders = memo?.donuts == donuts ? memo?.orders : nil
      let value = try SortedRecords.select(state.orders, updating: &orders) { make(donuts) }
      memo = orders.map { Self(donuts: donuts, orders: $0) }
      return value
    }
  }

  private struct SeveralOrders: Decodable, Sendable {
    var orderIDs: [Order.ID]
  }

  private struct OneOrder: Decodable, Sendable {
    var orderID: Order.ID?
  }
}
