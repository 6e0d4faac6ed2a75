import ImmutableJSON
import TestSupport
import Testing

@testable import AnimalsData
@testable import StateEngine

/// A store that records calls, and answers each with the same animals or an error.
private struct RecordingStore: PersistentStore {
  let recorder: CallRecorder

  private var hound: Animal {
    Animal(animalId: "Dog", name: "Hound", diet: .omnivorous, categoryId: "Bird")
  }

  func fetchAnimalsQuery() throws -> [Animal] {
    try self.recorder.record("fetchAnimals", [self.hound])
  }

  func fetchCategoriesQuery() throws -> [AnimalsData.Category] {
    try self.recorder.record("fetchCategories", [Category(categoryId: "Bird", name: "Bird")])
  }

  func addAnimalMutation(name: String, diet: Diet, categoryId: String) throws -> Animal {
    try self.recorder.record("add(\(name), \(diet.rawValue), \(categoryId))", self.hound)
  }

  func updateAnimalMutation(
    animalId: String, name: String, diet: Diet, categoryId: String
  ) throws -> Animal {
    try self.recorder.record(
      "update(\(animalId), \(name), \(diet.rawValue), \(categoryId))", self.hound)
  }

  func deleteAnimalMutation(animalId: String) throws -> Animal {
    try self.recorder.record("delete(\(animalId))", self.hound)
  }

  func reloadSampleDataMutation() throws -> (
    animals: [Animal], categories: [AnimalsData.Category]
  ) {
    try self.recorder.record(
      "reload", (animals: [self.hound], categories: [Category(categoryId: "Bird", name: "Bird")]))
  }
}

extension EffectRow {
  /// - Parameter outcome: The type, the members other than `result`, and the result.
  fileprivate init(
    _ state: String, _ action: String, _ call: String?,
    _ outcome: (type: String, members: String, result: String)
  ) {
    self.init(
      state, action, call,
      success: session(
        outcome.type, #"{\#(outcome.members)"result":{"success":\#(outcome.result)}}"#),
      failure: session(outcome.type, #"{\#(outcome.members)"result":\#(failed)}"#))
  }
}

@Suite struct AnimalsEffectsTests {
  typealias Row = EffectRow

  private static let fetchCategories = (
    "didFetchCategories", "", #"{"categories":[\#(bird)]}"#
  )
  private static let fetchAnimals = ("didFetchAnimals", "", #"{"animals":[\#(hound)]}"#)
  private static let reload = (
    "didReloadSampleData", "", #"{"animals":[\#(hound)],"categories":[\#(bird)]}"#
  )
  private static func change(_ type: String, _ id: String) -> (String, String, String) {
    (type, #""animalId":"\#(id)","#, #"{"animal":\#(hound)}"#)
  }

  static let fetching: [Row] = [
    Row(state(), ui("categoryList/onAppear"), "fetchCategories", fetchCategories),
    Row(state(categoriesStatus: waiting), ui("categoryList/onAppear")),
    Row(state(categoriesStatus: success), ui("categoryList/onAppear")),
    Row(state(categoriesStatus: failed), ui("categoryList/onAppear")),
    Row(state(), ui("animalList/onAppear"), "fetchAnimals", fetchAnimals),
    Row(state(animalsStatus: success), ui("animalList/onAppear")),
    Row(state(), ui("categoryList/onTapReloadSampleDataButton"), "reload", reload),
    Row(
      state(categoriesStatus: success, animalsStatus: failed),
      ui("categoryList/onTapReloadSampleDataButton"), "reload", reload),
    Row(
      state(categoriesStatus: waiting, animalsStatus: success),
      ui("categoryList/onTapReloadSampleDataButton")),
    Row(
      state(categoriesStatus: success, animalsStatus: waiting),
      ui("categoryList/onTapReloadSampleDataButton")),
  ]

  static let changing: [Row] = ["animalList", "animalDetail"].flatMap { view in
    [nil, success, failed, waiting].map { status in
      Row(
        state(animals: ["Dog": dog], queue: status.map { ["Dog": $0] } ?? [:]),
        ui("\(view)/onTapDeleteSelectedAnimalButton", #"{"animalId":"Dog"}"#),
        status == waiting ? nil : "delete(Dog)", change("didDeleteAnimal", "Dog"))
    }
  }

  static let editing: [Row] = [nil, success, failed, waiting].flatMap { edits($0) }

  private static func edits(_ status: String?) -> [Row] {
    let add = ui(
      "animalEditor/onTapAddAnimalButton",
      #"{"id":"new","name":"Hound","diet":"Omnivore","categoryId":"Bird"}"#)
    let update = ui(
      "animalEditor/onTapUpdateAnimalButton",
      #"{"animalId":"Dog","name":"Hound","diet":"Omnivore","categoryId":"Bird"}"#)
    let didAdd = ("didAddAnimal", #""id":"new","#, #"{"animal":\#(hound)}"#)
    var (adding, dogs): ([String: String], [String: String]) = ([:], [:])
    (adding["new"], dogs["Dog"]) = (status, status)
    let isIdle = status != waiting
    return [
      Row(state(queue: adding), add, isIdle ? "add(Hound, Omnivore, Bird)" : nil, didAdd),
      Row(
        state(animals: ["Dog": dog], queue: dogs), update,
        isIdle ? "update(Dog, Hound, Omnivore, Bird)" : nil, change("didUpdateAnimal", "Dog")),
    ]
  }

  /// Actions that the effects themselves dispatch have no effect.
  static let data: [Row] = [
    Row(state(), session("didFetchAnimals", #"{"result":\#(failed)}"#)),
    Row(state(), session("didReceiveChange", #"{"change":{"saved":{"animal":\#(dog)}}}"#)),
  ]

  /// A context with a state, which passes dispatched actions on as JSON.
  private func context(
    _ state: AnimalsState, send: @escaping @Sendable (Value) throws -> Void
  ) -> EffectContext<AnimalsState, AnimalsAction> {
    EffectContext(
      queue: EffectQueue(), timers: EffectQueue(),
      functions: EffectFunctions(), pending: PendingTasks("effect")
    ) {
      state
    } send: { action in
      try send(ActionEncoder.json(action))
    } recordFailure: { _ in
    }
  }

  @Test(arguments: fetching + changing + editing + data, [false, true])
  func effects(_ row: Row, refuses: Bool) throws {
    let recorder = CallRecorder(refuses: refuses)
    let effects = AnimalsEffects(store: RecordingStore(recorder: recorder), closesStore: true)
    let action: AnimalsAction = try ActionDecoder(AnimalsDomain.actions)
      .action(from: Value(json: row.action))
    let old: AnimalsState = try Value(json: row.state).decode()
    let new = try AnimalsReducer.reduce(state: old, action: action)
    let effect = effects.effect(of: action, from: old, to: new)
    #expect((effect == nil) == (row.call == nil))
    let sent = Recorder<Value>()
    let context = self.context(new) { sent.append($0) }
    let isThrown = (try? effect?(context)) == nil && effect != nil
    #expect(isThrown == (refuses && row.call != nil))
    #expect(recorder.calls == (row.call.map { [$0] } ?? []))
    let expected = try row.call.map { _ in
      [try Value(json: refuses ? row.failure : row.success)]
    }
    #expect(sent.all == expected ?? [])
  }

  /// A result that cannot be dispatched becomes a failure, so that the operation ends.
  @Test func aRejectedResultBecomesAFailure() throws {
    let store = RecordingStore(recorder: CallRecorder(refuses: false))
    let effects = AnimalsEffects(store: store, closesStore: true)
    let old: AnimalsState = try Value(json: state()).decode()
    let action = AnimalsAction.ui(.animalList(.onAppear))
    let new = try AnimalsReducer.reduce(state: old, action: action)
    let sent = Recorder<Value>()
    let context = self.context(new) { action in
      sent.append(action)
      if sent.all.count == 1 { throw CallRecorder.Refusal() }
    }
    let effect = try #require(effects.effect(of: action, from: old, to: new))
    #expect(throws: CallRecorder.Refusal.self) { try effect(context) }
    let failure = try Value(json: session("didFetchAnimals", #"{"result":\#(failed)}"#))
    #expect(sent.all.last == failure)
  }
}
