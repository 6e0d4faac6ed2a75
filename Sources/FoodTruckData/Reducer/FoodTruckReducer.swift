import ImmutableJSON
import ProductSupport

/// Computes the next state from a state and an action.
///
/// Only the model changes orders and donuts, so actions of the user interface leave the state as it
/// is.
public enum FoodTruckReducer {
  public struct Error: Swift.Error, Hashable {
    public enum Code: Hashable, Sendable {
      case duplicateOrder
      case duplicateDonut
      /// A temperature is infinite or not a number, which JSON cannot write.
      case invalidTemperature
      /// The id of an order contains U+0000, which a key of JSON must not.
      case invalidID
    }

    public let code: Code
    /// The id of the order or donut.
    let id: String
  }

  /// Returns the next state. Orders and donuts that are equal to the previous ones keep their
  /// identity.
  ///
  /// - Throws: ``Error``.
  public static func reduce(
    state: FoodTruckState, action: FoodTruckAction
  ) throws -> FoodTruckState {
    var state = state
    switch action {
    case .ui:
      break
    case .data(.modelListener(.didReceiveOrders(let orders))):
      try state.receive(orders)
    case .data(.modelListener(.didReceiveDonuts(let donuts))):
      try state.receive(donuts)
    }
    return state
  }
}

extension FoodTruckReducer.Error: CustomStringConvertible {
  public var description: String {
    switch self.code {
    case .duplicateOrder:
      "several orders have the id \(quoted(self.id)); each order needs an id of its own"
    case .duplicateDonut:
      "several donuts have the id \(self.id); each donut needs an id of its own"
    case .invalidTemperature:
      "the temperature of the order \(quoted(self.id)) is not a finite number"
    case .invalidID:
      "the id \(quoted(self.id)) contains U+0000, which a key must not contain"
    }
  }
}

extension FoodTruckState {
  fileprivate mutating func receive(_ orders: [Order]) throws(FoodTruckReducer.Error) {
    do {
      try self.orderTable.replace(with: orders)
    } catch {
      let code: FoodTruckReducer.Error.Code =
        switch error.kind {
        case .duplicate: .duplicateOrder
        case .unrepresentable: error.id.containsNUL ? .invalidID : .invalidTemperature
        }
      throw FoodTruckReducer.Error(code: code, id: error.id)
    }
  }

  fileprivate mutating func receive(_ donuts: [Donut]) throws(FoodTruckReducer.Error) {
    do {
      try self.donutTable.replace(with: donuts)
    } catch {
      throw FoodTruckReducer.Error(code: .duplicateDonut, id: "\(error.id)")
    }
  }
}
