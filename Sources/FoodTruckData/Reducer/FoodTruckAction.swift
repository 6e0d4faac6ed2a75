/// Events of the user interface and of the model.
public enum FoodTruckAction: Codable, Hashable, Sendable {
  case ui(UI)
  case data(Data)
}

extension FoodTruckAction {
  public enum UI: Codable, Hashable, Sendable {
    case orderDetailView(OrderDetailView)
    case ordersView(OrdersView)
  }

  public enum Data: Codable, Hashable, Sendable {
    case modelListener(ModelListener)
  }
}

extension FoodTruckAction.UI {
  public enum OrderDetailView: Codable, Hashable, Sendable {
    case onTapStatusButton(orderID: Order.ID)
  }

  public enum OrdersView: Codable, Hashable, Sendable {
    case onTapCompleteOrderButton(orderID: Order.ID)
    case onTapAddOrderButton
  }
}

extension FoodTruckAction.Data {
  public enum ModelListener: Codable, Hashable, Sendable {
    /// The model has published all of its orders.
    case didReceiveOrders(orders: [Order])

    /// The model has published all of its donuts.
    case didReceiveDonuts(donuts: [Donut])
  }
}
