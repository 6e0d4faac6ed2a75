import AnimalsData
import ImmutableJSON
import StateEngine

// States and actions are written as JSON, composed of these constants.

let mammal = #"{"categoryId":"Mammal","name":"Mammal"}"#
let bird = #"{"categoryId":"Bird","name":"Bird"}"#
let fowl = #"{"categoryId":"Bird","name":"Fowl"}"#
let dog = #"{"animalId":"Dog","categoryId":"Mammal","diet":"Carnivore","name":"Dog"}"#
let cat = #"{"animalId":"Cat","categoryId":"Mammal","diet":"Carnivore","name":"Cat"}"#
let hound = #"{"animalId":"Dog","categoryId":"Bird","diet":"Omnivore","name":"Hound"}"#
let waiting = #"{"waiting":{}}"#
let success = #"{"success":{}}"#
let failed = #"{"failure":{"error":"no"}}"#

/// A state as JSON. Omitted parts are empty or null.
func state(
  categories: [String: String] = [:], categoriesStatus: String? = nil,
  animals: [String: String] = [:], animalsStatus: String? = nil, queue: [String: String] = [:]
) -> String {
  func object(_ members: [String: String]) -> String {
    "{"
      + members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }
      .joined(separator: ",") + "}"
  }
  var animalsMembers = ["data": object(animals), "queue": object(queue)]
  animalsMembers["status"] = animalsStatus
  var categoriesMembers = ["data": object(categories)]
  categoriesMembers["status"] = categoriesStatus
  return object(["animals": object(animalsMembers), "categories": object(categoriesMembers)])
}

func ui(_ type: String, _ payload: String? = nil) -> String {
  action("ui/\(type)", payload)
}

func session(_ type: String, _ payload: String) -> String {
  action("data/persistentSession/\(type)", payload)
}

private func action(_ type: String, _ payload: String?) -> String {
  let payload = payload.map { ",\"payload\":\($0)" } ?? ""
  return "{\"type\":\"\(type)\"\(payload)}"
}

/// The domain without its effects.
enum EffectlessAnimalsDomain: Domain {
  static let name = AnimalsDomain.name
  static let summary = AnimalsDomain.summary
  static var initialState: AnimalsState { AnimalsDomain.initialState }
  static var stateSchema: Schema { AnimalsDomain.stateSchema }
  static var actions: [ActionDescription<Action>] { AnimalsDomain.actions }
  static var selectors: [SelectorDescription<AnimalsState>] { AnimalsDomain.selectors }
  static var filters: [FilterDescription<AnimalsState, AnimalsAction>] { AnimalsDomain.filters }

  static func reduce(_ state: AnimalsState, _ action: AnimalsAction) throws -> AnimalsState {
    try AnimalsDomain.reduce(state, action)
  }

  static var optimisticUpdates: OptimisticUpdates<AnimalsState, AnimalsAction> {
    AnimalsDomain.optimisticUpdates
  }
}

extension AnyStore {
  static func animals(_ state: String) throws -> AnyStore {
    try AnyStore(EffectlessAnimalsDomain.self, options: ["state": Value(json: state)])
  }
}
