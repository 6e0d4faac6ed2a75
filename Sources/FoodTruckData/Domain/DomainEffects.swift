import StateEngine
import Threading

/// Runs the model of a store, if it has one, and asks the program for everything else.
struct DomainEffects: Effects {
  typealias Context = EffectContext<FoodTruckState, FoodTruckAction>
  typealias MakeModel = @Sendable (Context) throws -> FoodTruckModel

  private final class ModelReference: Sendable {
    /// Set once, before the first action.
    let model = Mutex<FoodTruckModel?>(nil)
  }

  private let makeModel: MakeModel?
  private let reference = ModelReference()

  /// - Parameter makeModel: Creates the model; `nil` if the program has it.
  init(makeModel: MakeModel?) {
    self.makeModel = makeModel
  }

  func begin(in context: Context) {
    guard let model = try? self.makeModel?(context) else { return }
    self.reference.model.withLock { $0 = model }
    // An effect, so that an error of the reducer counts as a failed effect.
    model.subscribe(
      Callback { change in context.perform { try $0.dispatch(FoodTruckAction(change)) } })
  }

  func effect(
    of action: FoodTruckAction, from oldState: FoodTruckState, to newState: FoodTruckState
  ) -> Effect<FoodTruckState, FoodTruckAction>? {
    let effects = FoodTruckEffect.effects(of: action, from: oldState, to: newState)
    guard !effects.isEmpty else { return nil }
    return { context in
      for effect in effects { try self.perform(effect, in: context) }
    }
  }
}

extension DomainEffects {
  private func perform(_ effect: FoodTruckEffect, in context: Context) throws {
    let model = self.reference.model.withLock { $0 }
    switch effect {
    case .markOrderAsNextStep(let id):
      if let model { return model.markOrderAsNextStep(id: id) }
      try context.ask(FoodTruckDomain.markOrderAsNextStep, .init(orderID: id))
    case .markOrderAsCompleted(let id):
      if let model { return model.markOrderAsCompleted(id: id) }
      try context.ask(FoodTruckDomain.markOrderAsCompleted, .init(orderID: id))
    case .addOrder:
      if let model { return model.addOrder() }
      try context.ask(FoodTruckDomain.addOrder, NoValue())
    case .startActivity(let order):
      try context.ask(FoodTruckDomain.startActivity, .init(order: order))
    case .endActivity(let order):
      try context.ask(FoodTruckDomain.endActivity, .init(order: order))
    }
  }
}

extension EffectContext {
  /// Asks the program for an effect. If it has no function for it, nothing happens.
  fileprivate func ask<Arguments>(
    _ effect: ProgramEffect<Arguments, NoValue>, _ arguments: Arguments
  ) throws {
    try self.perform(effect, arguments) { _, outcome in
      switch outcome {
      // Without a function, the program drives the store by actions only.
      case .success, .failure(.noFunction): break
      case .failure(let error): throw error
      }
    }
  }
}
