import AnimalsData
import ImmutableJSON
import StateEngine
import TestSupport
import Testing

@Suite struct ReducerTests {
  typealias Row = ReducerRow

  static let fetching: [Row] = [
    Row(state(), ui("categoryList/onAppear"), state(categoriesStatus: waiting)),
    Row(
      state(categoriesStatus: failed), ui("categoryList/onAppear"),
      state(categoriesStatus: failed)),
    Row(
      state(categoriesStatus: success), ui("categoryList/onAppear"),
      state(categoriesStatus: success)),
    Row(state(), ui("animalList/onAppear"), state(animalsStatus: waiting)),
    Row(state(animalsStatus: success), ui("animalList/onAppear"), state(animalsStatus: success)),

    Row(
      state(), ui("categoryList/onTapReloadSampleDataButton"),
      state(categoriesStatus: waiting, animalsStatus: waiting)),
    Row(
      state(categoriesStatus: success, animalsStatus: failed),
      ui("categoryList/onTapReloadSampleDataButton"),
      state(categoriesStatus: waiting, animalsStatus: waiting)),
    Row(
      state(categoriesStatus: waiting), ui("categoryList/onTapReloadSampleDataButton"),
      state(categoriesStatus: waiting)),
    Row(
      state(categoriesStatus: success, animalsStatus: waiting),
      ui("categoryList/onTapReloadSampleDataButton"),
      state(categoriesStatus: success, animalsStatus: waiting)),

    Row(
      state(categories: ["Bird": bird], categoriesStatus: waiting),
      session(
        "didFetchCategories",
        #"{"result":{"success":{"categories":[\#(mammal),\#(bird),\#(fowl)]}}}"#),
      state(categories: ["Bird": fowl, "Mammal": mammal], categoriesStatus: success)),
    Row(
      state(categories: ["Bird": bird], categoriesStatus: waiting),
      session("didFetchCategories", #"{"result":\#(failed)}"#),
      state(categories: ["Bird": bird], categoriesStatus: failed)),
    Row(
      state(animals: ["Cat": cat], animalsStatus: waiting, queue: ["Cat": waiting]),
      session("didFetchAnimals", #"{"result":{"success":{"animals":[\#(dog)]}}}"#),
      state(
        animals: ["Cat": cat, "Dog": dog], animalsStatus: success, queue: ["Cat": waiting])),
    Row(
      state(animals: ["Cat": cat]), session("didFetchAnimals", #"{"result":\#(failed)}"#),
      state(animals: ["Cat": cat], animalsStatus: failed)),
    Row(
      state(categories: ["Bird": bird], animals: ["Cat": cat], queue: ["Cat": failed]),
      session(
        "didReloadSampleData",
        #"{"result":{"success":{"animals":[\#(dog)],"categories":[\#(mammal)]}}}"#),
      state(
        categories: ["Mammal": mammal], categoriesStatus: success, animals: ["Dog": dog],
        animalsStatus: success, queue: ["Cat": failed])),
    Row(
      state(categories: ["Bird": bird], animals: ["Cat": cat]),
      session("didReloadSampleData", #"{"result":\#(failed)}"#),
      state(
        categories: ["Bird": bird], categoriesStatus: failed, animals: ["Cat": cat],
        animalsStatus: failed)),
  ]

  static let changing: [Row] =
    ["animalList", "animalDetail"].flatMap { view in
      let delete = ui("\(view)/onTapDeleteSelectedAnimalButton", #"{"animalId":"Dog"}"#)
      return [
        Row(
          state(animals: ["Dog": dog]), delete,
          state(animals: ["Dog": dog], queue: ["Dog": waiting])),
        Row(
          state(animals: ["Dog": dog], queue: ["Dog": failed]), delete,
          state(animals: ["Dog": dog], queue: ["Dog": waiting])),
        Row(state(animals: ["Cat": cat]), delete, nil),
      ]
    } + [
      Row(
        state(),
        ui(
          "animalEditor/onTapAddAnimalButton",
          #"{"id":"1","name":"Eagle","diet":"Carnivore","categoryId":"Nowhere"}"#),
        state(queue: ["1": waiting])),
      Row(
        state(animals: ["Dog": dog]),
        ui(
          "animalEditor/onTapUpdateAnimalButton",
          #"{"animalId":"Dog","name":"Hound","diet":"Omnivore","categoryId":"Bird"}"#),
        state(animals: ["Dog": dog], queue: ["Dog": waiting])),
      Row(
        state(),
        ui(
          "animalEditor/onTapUpdateAnimalButton",
          #"{"animalId":"Dog","name":"Hound","diet":"Omnivore","categoryId":"Bird"}"#),
        nil),
    ]

  static let changed: [Row] = [
    Row(
      state(queue: ["1": waiting]),
      session("didAddAnimal", #"{"id":"1","result":{"success":{"animal":\#(dog)}}}"#),
      state(animals: ["Dog": dog], queue: ["1": success])),
    Row(
      state(queue: ["1": waiting]), session("didAddAnimal", #"{"id":"1","result":\#(failed)}"#),
      state(queue: ["1": failed])),

    Row(
      state(animals: ["Dog": dog], queue: ["Dog": waiting]),
      session("didUpdateAnimal", #"{"animalId":"Dog","result":{"success":{"animal":\#(hound)}}}"#),
      state(animals: ["Dog": hound], queue: ["Dog": success])),
    Row(
      state(animals: ["Dog": dog], queue: ["Dog": waiting]),
      session("didUpdateAnimal", #"{"animalId":"Dog","result":\#(failed)}"#),
      state(animals: ["Dog": dog], queue: ["Dog": failed])),
    // A result ends its operation even if another client deleted the animal meanwhile.
    Row(
      state(queue: ["Dog": waiting]),
      session("didUpdateAnimal", #"{"animalId":"Dog","result":{"success":{"animal":\#(hound)}}}"#),
      state(animals: ["Dog": hound], queue: ["Dog": success])),
    Row(
      state(queue: ["Dog": waiting]),
      session("didUpdateAnimal", #"{"animalId":"Dog","result":\#(failed)}"#),
      state(queue: ["Dog": failed])),
    // The key is the action's, whatever the animal's is.
    Row(
      state(animals: ["Cat": cat, "Dog": dog]),
      session("didUpdateAnimal", #"{"animalId":"Dog","result":{"success":{"animal":\#(cat)}}}"#),
      state(animals: ["Cat": cat, "Dog": cat], queue: ["Dog": success])),

    Row(
      state(animals: ["Cat": cat, "Dog": dog], queue: ["Dog": waiting]),
      session("didDeleteAnimal", #"{"animalId":"Dog","result":{"success":{"animal":\#(dog)}}}"#),
      state(animals: ["Cat": cat], queue: ["Dog": success])),
    Row(
      state(animals: ["Dog": dog]),
      session("didDeleteAnimal", #"{"animalId":"Dog","result":\#(failed)}"#),
      state(animals: ["Dog": dog], queue: ["Dog": failed])),
    Row(
      state(queue: ["Dog": waiting]),
      session("didDeleteAnimal", #"{"animalId":"Dog","result":{"success":{"animal":\#(dog)}}}"#),
      state(queue: ["Dog": success])),
    Row(
      state(queue: ["Dog": waiting]),
      session("didDeleteAnimal", #"{"animalId":"Dog","result":\#(failed)}"#),
      state(queue: ["Dog": failed])),
    // The key is the animal's, whatever the action's is.
    Row(
      state(animals: ["Cat": cat, "Dog": dog]),
      session("didDeleteAnimal", #"{"animalId":"Dog","result":{"success":{"animal":\#(cat)}}}"#),
      state(animals: ["Dog": dog], queue: ["Cat": success])),
    // But the animal of the action is no longer waiting.
    Row(
      state(animals: ["Cat": cat, "Dog": dog], queue: ["Dog": waiting]),
      session("didDeleteAnimal", #"{"animalId":"Dog","result":{"success":{"animal":\#(cat)}}}"#),
      state(animals: ["Dog": dog], queue: ["Cat": success, "Dog": success])),
  ]

  @Test(arguments: Self.fetching + Self.changing + Self.changed)
  func nextState(_ row: Row) throws {
    let store = try AnyStore.animals(row.before)
    let action = try Value(json: row.action)
    if let after = row.after {
      try store.dispatch(action)
      #expect(try store.state() == Value(json: after))
    } else {
      let error = #expect(throws: EngineError.self) { try store.dispatch(action) }
      #expect(error?.code == .reducerFailed)
      #expect(error?.message == #"there is no animal "Dog""#)
      #expect(try store.state() == Value(json: row.before))
    }
  }

  @Test(arguments: [
    (ui("animalEditor/onTapAddAnimalButton", #"{"id":"1"}"#), "payload: the member \"name\""),
    (
      session("didFetchAnimals", #"{"result":{"success":{"animals":[1]}}}"#),
      "payload/result/success/animals/0: expected an object"
    ),
    (session("didFetchAnimals", #"{"result":{}}"#), "payload/result: found 0 members"),
    (
      session("didFetchAnimals", #"{"result":{"succes":{}}}"#),
      "payload/result: unknown member \"succes\"; did you mean \"success\"?"
    ),
    (
      ui(
        "animalEditor/onTapAddAnimalButton",
        #"{"id":"1","name":"E","diet":"herbivorous","categoryId":"Bird"}"#),
      "payload/diet: invalid value \"herbivorous\""
    ),
    (
      session("didReceiveChange", #"{"change":{"saved":{"animal":\#(Self.nullAnimal)}}}"#),
      #"payload/change/saved/animal: the animalId "a\u0000b" contains U+0000, which a key must "#
        + #"not contain"#
    ),
    (
      session(
        "didFetchCategories",
        #"{"result":{"success":{"categories":[{"categoryId":"\u0000","name":"Null"}]}}}"#),
      #"categories/0: the categoryId "\u0000" contains U+0000, which a key must not contain"#
    ),
  ])
  func malformedActionsAreRejected(_ action: String, _ reason: String) throws {
    let store = try AnyStore(EffectlessAnimalsDomain.self)
    let error = #expect(throws: EngineError.self) { try store.dispatch(Value(json: action)) }
    #expect(error?.code == .invalidAction)
    #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
  }

  private static let nullAnimal =
    #"{"animalId":"a\u0000b","categoryId":"Bird","diet":"Omnivore","name":"Null"}"#

  /// Such an id would be a key that JSON cannot write.
  @Test(arguments: [
    ui(
      "animalEditor/onTapAddAnimalButton",
      #"{"id":"a\u0000b","name":"Null","diet":"Omnivore","categoryId":"Bird"}"#),
    session("didAddAnimal", #"{"id":"a\u0000b","result":{"success":{"animal":\#(dog)}}}"#),
    session("didAddAnimal", #"{"id":"a\u0000b","result":\#(failed)}"#),
    session("didUpdateAnimal", #"{"animalId":"a\u0000b","result":{"success":{"animal":\#(dog)}}}"#),
    session("didDeleteAnimal", #"{"animalId":"a\u0000b","result":\#(failed)}"#),
  ])
  func idsMustNotContainNull(_ action: String) throws {
    let store = try AnyStore.animals(state())
    let message = #"the id "a\u0000b" contains U+0000, which a key must not contain"#
    #expect(throws: EngineError(.reducerFailed, message)) {
      try store.dispatch(Value(json: action))
    }
    #expect(try store.state().json == state())
  }

  /// A long id is truncated in a message.
  @Test func idsAreQuoted() throws {
    let store = try AnyStore.animals(state())
    for (id, quoted) in [
      (#"\"\n"#, #"\"\n"#), (String(repeating: "a", count: 1_000_000), "\(Self.a48)…"),
    ] {
      let action = ui("animalList/onTapDeleteSelectedAnimalButton", #"{"animalId":"\#(id)"}"#)
      #expect(throws: EngineError(.reducerFailed, #"there is no animal "\#(quoted)""#)) {
        try store.dispatch(Value(json: action))
      }
    }
  }

  private static let a48 = String(repeating: "a", count: 48)

  /// A message can come from a server.
  @Test func longMessagesAreTruncated() throws {
    let store = try AnyStore.animals(state())
    let failure = #"{"failure":{"error":"\#(String(repeating: "é", count: 1_000_000))"}}"#
    for action in [
      session("didFetchAnimals", #"{"result":\#(failure)}"#),
      session("didFetchCategories", #"{"result":\#(failure)}"#),
      session("didUpdateAnimal", #"{"animalId":"Dog","result":\#(failure)}"#),
    ] {
      try store.dispatch(Value(json: action))
    }
    let truncated = Value.string(String(repeating: "é", count: 1_000) + "…")
    for status in [
      try store.select("selectAnimalsStatus"), try store.select("selectCategoriesStatus"),
      try store.select("selectAnimalStatus", ["animalId": "Dog"]),
    ] {
      #expect(status == ["failure": ["error": truncated]])
    }
  }

  /// One of the values would be lost.
  @Test(arguments: [
    ("animals/data", state(animals: ["e\u{301}": dog]), dog),
    ("animals/queue", state(queue: ["e\u{301}": waiting]), waiting),
    ("categories/data", state(categories: ["e\u{301}": bird]), bird),
  ])
  func keysMustNotBeEquivalent(_ place: String, _ state: String, _ value: String) throws {
    let members = "\"e\u{301}\":\(value)"
    let both = state.replacing(members, with: "\(members),\"\u{E9}\":\(value)")
    let message =
      "options/state/\(place): several keys are \"\u{E9}\" in another Unicode normalization; "
      + "they are one id"
    #expect(throws: EngineError(.invalidArgument, message)) { try AnyStore.animals(both) }
  }
}
