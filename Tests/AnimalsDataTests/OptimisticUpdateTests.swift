import AnimalsData
import ImmutableJSON
import StateEngine
import TestSupport
import Testing

/// The state of an animal while it is being updated or deleted, with the option `optimistic`.
@Suite struct OptimisticUpdateTests {
  struct Row: CustomTestStringConvertible {
    let before: String
    let actions: [String]

    /// The state after each action, or `nil` if the action fails.
    let after: [String?]

    init(_ before: String, _ steps: (action: String, after: String?)...) {
      self.before = before
      self.actions = steps.map(\.action)
      self.after = steps.map(\.after)
    }

    var testDescription: String {
      self.actions.joined(separator: ", ")
    }
  }

  static let update = ui(
    "animalEditor/onTapUpdateAnimalButton",
    #"{"animalId":"Dog","name":"Hound","diet":"Omnivore","categoryId":"Bird"}"#)
  static let delete = ui("animalList/onTapDeleteSelectedAnimalButton", #"{"animalId":"Dog"}"#)
  static let deleteInDetail = ui(
    "animalDetail/onTapDeleteSelectedAnimalButton", #"{"animalId":"Dog"}"#)
  static let deleted = session("didReceiveChange", #"{"change":{"deleted":{"animal":\#(dog)}}}"#)
  static let both = ["Cat": cat, "Dog": dog]

  static func outcome(_ type: String, _ animal: String?) -> String {
    let result = animal.map { #"{"success":{"animal":\#($0)}}"# } ?? failed
    return session(type, #"{"animalId":"Dog","result":\#(result)}"#)
  }

  static let updating: [Row] = [
    Row(
      state(animals: both),
      (update, state(animals: ["Cat": cat, "Dog": hound], queue: ["Dog": waiting])),
      (
        outcome("didUpdateAnimal", hound),
        state(animals: ["Cat": cat, "Dog": hound], queue: ["Dog": success])
      )),
    Row(
      state(animals: both, queue: ["Dog": success]),
      (update, state(animals: ["Cat": cat, "Dog": hound], queue: ["Dog": waiting])),
      (outcome("didUpdateAnimal", nil), state(animals: both, queue: ["Dog": failed])),
      // Twice.
      (update, state(animals: ["Cat": cat, "Dog": hound], queue: ["Dog": waiting])),
      (outcome("didUpdateAnimal", nil), state(animals: both, queue: ["Dog": failed]))),
    // While it is waiting, further changes have no effect and are not shown.
    Row(
      state(animals: both),
      (update, state(animals: ["Cat": cat, "Dog": hound], queue: ["Dog": waiting])),
      (delete, state(animals: ["Cat": cat, "Dog": hound], queue: ["Dog": waiting])),
      (outcome("didUpdateAnimal", nil), state(animals: both, queue: ["Dog": failed]))),
    Row(
      state(animals: both, queue: ["Dog": waiting]),
      (update, state(animals: both, queue: ["Dog": waiting])),
      (outcome("didUpdateAnimal", nil), state(animals: both, queue: ["Dog": failed]))),
    Row(state(animals: ["Cat": cat]), (update, nil)),
    // Another client deletes it meanwhile.
    Row(
      state(animals: both),
      (update, state(animals: ["Cat": cat, "Dog": hound], queue: ["Dog": waiting])),
      (deleted, state(animals: ["Cat": cat], queue: ["Dog": waiting])),
      (outcome("didUpdateAnimal", nil), state(animals: ["Cat": cat], queue: ["Dog": failed]))),
    Row(
      state(animals: both),
      (update, state(animals: ["Cat": cat, "Dog": hound], queue: ["Dog": waiting])),
      (deleted, state(animals: ["Cat": cat], queue: ["Dog": waiting])),
      (
        outcome("didUpdateAnimal", hound),
        state(animals: ["Cat": cat, "Dog": hound], queue: ["Dog": success])
      )),
    // Other changes made meanwhile remain.
    Row(
      state(animals: ["Dog": dog]),
      (update, state(animals: ["Dog": hound], queue: ["Dog": waiting])),
      (
        session("didAddAnimal", #"{"id":"1","result":{"success":{"animal":\#(cat)}}}"#),
        state(animals: ["Cat": cat, "Dog": hound], queue: ["1": success, "Dog": waiting])
      ),
      (
        outcome("didUpdateAnimal", nil),
        state(animals: both, queue: ["1": success, "Dog": failed])
      )),
  ]

  static let deleting: [Row] = [
    Row(
      state(animals: both),
      (delete, state(animals: ["Cat": cat], queue: ["Dog": waiting])),
      (outcome("didDeleteAnimal", dog), state(animals: ["Cat": cat], queue: ["Dog": success]))),
    Row(
      state(animals: both),
      (deleteInDetail, state(animals: ["Cat": cat], queue: ["Dog": waiting])),
      (outcome("didDeleteAnimal", nil), state(animals: both, queue: ["Dog": failed])),
      (delete, state(animals: ["Cat": cat], queue: ["Dog": waiting])),
      (outcome("didDeleteAnimal", dog), state(animals: ["Cat": cat], queue: ["Dog": success]))),
    Row(
      state(animals: both),
      (delete, state(animals: ["Cat": cat], queue: ["Dog": waiting])),
      (delete, nil),
      (update, nil),
      // Animals fetched meanwhile may still include it.
      (
        session("didFetchAnimals", #"{"result":{"success":{"animals":[\#(dog)]}}}"#),
        state(animals: both, animalsStatus: success, queue: ["Dog": waiting])
      ),
      (
        outcome("didDeleteAnimal", dog),
        state(animals: ["Cat": cat], animalsStatus: success, queue: ["Dog": success])
      )),
    Row(
      state(animals: ["Cat": cat]),
      (outcome("didDeleteAnimal", dog), state(animals: ["Cat": cat], queue: ["Dog": success]))),
    Row(state(animals: ["Cat": cat]), (delete, nil)),
    Row(
      state(animals: ["Cat": cat]),
      (outcome("didDeleteAnimal", nil), state(animals: ["Cat": cat], queue: ["Dog": failed]))),
    Row(
      state(animals: both),
      (delete, state(animals: ["Cat": cat], queue: ["Dog": waiting])),
      (deleted, state(animals: ["Cat": cat], queue: ["Dog": waiting])),
      (outcome("didDeleteAnimal", nil), state(animals: ["Cat": cat], queue: ["Dog": failed]))),
  ]

  @Test(arguments: Self.updating + Self.deleting)
  func statesDuringAChange(_ row: Row) throws {
    let store = try AnyStore(
      EffectlessAnimalsDomain.self, options: ["state": Value(json: row.before), "optimistic": true])
    var shown = row.before
    for (action, after) in zip(row.actions, row.after) {
      let action = try Value(json: action)
      let result = Result { () throws(EngineError) in try store.dispatch(action) }
      if let after {
        #expect(throws: Never.self) { try result.get() }
        shown = after
      } else {
        let error = #expect(throws: EngineError.self) { try result.get() }
        #expect(error?.message == #"there is no animal "Dog""#)
      }
      #expect(try store.state().json == shown, "\(action)")
    }
  }

  /// Observers are called for the change and for its failure, but not for its success.
  @Test func aSuccessIsNotDeliveredAgain() throws {
    let store = try AnyStore(
      EffectlessAnimalsDomain.self,
      options: ["state": Value(json: state(animals: Self.both)), "optimistic": true])
    let deliveries = Recorder<String>()
    try store.observe("selectAnimal", ["animalId": "Dog"], ObservationOptions([:])) { delivery in
      guard case .value(let value) = delivery.content else { return }
      deliveries.append(value.json)
    }
    for action in [
      Self.update, Self.outcome("didUpdateAnimal", hound), Self.delete,
      Self.outcome("didDeleteAnimal", nil), Self.delete, Self.outcome("didDeleteAnimal", hound),
    ] {
      try store.dispatch(Value(json: action))
    }
    #expect(deliveries.all == [dog, hound, "null", hound, "null"])
  }
}
