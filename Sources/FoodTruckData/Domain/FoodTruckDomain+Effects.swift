import HashTreeCollections
import ImmutableJSON
import ProductSupport
import StateEngine

extension FoodTruckDomain {
  public static var options: [Schema.Property] {
    [
      .init(
        "model", .oneOf(ModelKind.allCases.map(\.rawValue)), isRequired: false,
        "A model in the library: timed adds 20 orders, each 3 to 8 seconds after the previous one; "
          + "seeded is the same on every machine. Without it, the program has its own."),
      .init(
        "seed", .integer, isRequired: false,
        "Determines the orders that the model generates; 1 by default."),
    ]
  }

  public static func makeEffects(
    _ options: Value, _ fetcher: Fetcher
  ) throws -> (any Effects<FoodTruckState, FoodTruckAction>)? {
    guard let kind = options["model"]?.string.flatMap(ModelKind.init) else {
      if options["seed"] != nil { throw self.noModel }
      return DomainEffects(makeModel: nil)
    }
    let hasState = options["state"] != nil
    let seed: Int64 = if case .integer(let seed) = options["seed"] { seed } else { 1 }
    return DomainEffects {
      try self.model(kind, seed: UInt64(bitPattern: seed), hasState: hasState, $0)
    }
  }
}

// MARK: Models

extension FoodTruckDomain {
  private static let noModel = EngineError(
    .invalidArgument, "options/seed: there is no model to seed; add the option \"model\"")

  private enum ModelKind: String, CaseIterable {
    case timed, seeded
  }

  /// Creates the model of a store. It starts from the state that the store was opened with, if any.
  private static func model(
    _ kind: ModelKind, seed: UInt64, hasState: Bool, _ context: DomainEffects.Context
  ) throws -> FoodTruckModel {
    let state = try context.state
    let clock: any ModelClock =
      switch kind {
      case .seeded: SteppingClock()
      case .timed:
        WallClock(time: { context.time }) { milliseconds, work in
          context.schedule(after: milliseconds) { _ in work() }
        }
      }
    let model = FoodTruckModel(
      orders: hasState ? state.orders.values.sorted(by: []) : nil,
      donuts: hasState ? state.donuts.values.sorted { $0.id < $1.id } : Donut.all,
      seed: seed, clock: clock)
    if kind == .timed { model.addOrdersOverTime() }
    return model
  }
}
