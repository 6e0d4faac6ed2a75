import ImmutableJSON
import Testing
import Threading

@testable import AnimalsData
@testable import StateEngine

/// A store that records calls, and answers each with the same animals or an error.
private final class RecordingStore: PersistentStore {
  struct Refusal: Error, CustomStringConvertible {
    let description = "no"
  }

  private let refuses: Bool
  private let recorded = Mutex<[String]>([])

  init(refuses: Bool) {
    self.refuses = refuses
  }

  var calls: [String] {
    self.recorded.withLock { $0 }
  }

  private func answer<Answer>(_ call: String, _ answer: Answer) throws -> Answer {
    self.recorded.withLock { $0.append(call) }
    if self.refuses { throw Refusal() }
    return answer
  }

  private var hound: Animal {
    Animal(animalId: "Dog", name: "Hound", diet: .omnivorous, categoryId: "Bird")
  }

  func fetchAnimalsQuery() throws -> [Animal] {
    try self.answer("fetchAnimals", [self.hound])
  }

  func fetchCategoriesQuery() throws -> [AnimalsData.Category] {
    try self.answer("fetchCategories", [Category(categoryId: "Bird", name: "Bird")])
  }

  func addAnimalMutation(name: String, diet: Diet, categoryId: String) throws -> Animal {
    try self.answer("add(\(name), \(diet.rawValue), \(categoryId))", self.hound)
  }

  func updateAnimalMutation(
    animalId: String, name: String, diet: Diet, categoryId: String
  ) throws -> Animal {
    try self.answer("update(\(animalId), \(name), \(diet.rawValue), \(categoryId))", self.hound)
  }

  func deleteAnimalMutation(animalId: String) throws -> Animal {
    try self.answer("delete(\(animalId))", self.hound)
  }

  func reloadSampleDataMutation() throws -> (
    animals: [Animal], categories: [AnimalsData.Category]
  ) {
    try self.answer(
      "reload", (animals: [self.hound], categories: [Category(categoryId: "Bird", name: "Bird")]))
  }
}

@Suite struct AnimalsEffectsTests {
  struct Row: CustomTestStringConvertible {
    let state: String
    let action: String

    /// The expected call of the store; `nil` if there is no effect.
    let call: String?

    /// The actions dispatched when the store answers, and when it refuses.
    let success: String
    let failure: String

    /// - Parameter outcome: The type, the members other than `result`, and the result.
    init(
      _ state: String, _ action: String, _ call: String? = nil,
      _ outcome: (type: String, members: String, result: String) = ("", "", "")
    ) {
      self.state = state
      self.action = action
      self.call = call
      self.success = session(
        outcome.type, #"{\#(outcome.members)"result":{"success":\#(outcome.result)}}"#)
      self.failure = session(outcome.type, #"{\#(outcome.members)"result":\#(failed)}"#)
    }

    var testDescription: String {
      "\(self.action) in \(self.state)"
    }
  }

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

  @Test(arguments: fetching + changing + editing + data, [false, true])
  func effects(_ row: Row, refuses: Bool) throws {
    let store = RecordingStore(refuses: refuses)
    let effects = AnimalsEffects(store: store, closesStore: true)
    let action: AnimalsAction = try ActionDecoder(AnimalsDomain.actions)
      .action(from: Value(json: row.action))
    let old: AnimalsState = try Value(json: row.state).decode()
    let new = try AnimalsReducer.reduce(state: old, action: action)
    let effect = effects.effect(of: action, from: old, to: new)
    #expect((effect == nil) == (row.call == nil))
    let sent = Mutex<[Value]>([])
    let context = EffectContext<AnimalsState, AnimalsAction>(
      queue: EffectQueue(), timers: EffectQueue(),
      pending: PendingEffects(HostEffects(), EffectQueue())
    ) {
      new
    } send: { action in
      let json = try ActionEncoder.json(action)
      sent.withLock { $0.append(json) }
    } recordFailure: { _ in
    }
    let isThrown = (try? effect?(context)) == nil && effect != nil
    #expect(isThrown == (refuses && row.call != nil))
    #expect(store.calls == (row.call.map { [$0] } ?? []))
    let expected = try row.call.map { _ in
      [try Value(json: refuses ? row.failure : row.success)]
    }
    #expect(sent.withLock { $0 } == expected ?? [])
  }

  /// A result that cannot be dispatched becomes a failure, so that the operation ends.
  @Test func aRejectedResultBecomesAFailure() throws {
    let effects = AnimalsEffects(store: RecordingStore(refuses: false), closesStore: true)
    let old: AnimalsState = try Value(json: state()).decode()
    let action = AnimalsAction.ui(.animalList(.onAppear))
    let new = try AnimalsReducer.reduce(state: old, action: action)
    let sent = Mutex<[Value]>([])
    let context = EffectContext<AnimalsState, AnimalsAction>(
      queue: EffectQueue(), timers: EffectQueue(),
      pending: PendingEffects(HostEffects(), EffectQueue())
    ) {
      new
    } send: { action in
      let json = try ActionEncoder.json(action)
      let isFirst = sent.withLock { sent in
        sent.append(json)
        return sent.count == 1
      }
      if isFirst { throw RecordingStore.Refusal() }
    } recordFailure: { _ in
    }
    let effect = try #require(effects.effect(of: action, from: old, to: new))
    #expect(throws: RecordingStore.Refusal.self) { try effect(context) }
    let failure = try Value(json: session("didFetchAnimals", #"{"result":\#(failed)}"#))
    #expect(sent.withLock { $0.last } == failure)
  }
}
