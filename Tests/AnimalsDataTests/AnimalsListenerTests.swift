import AnimalsData
import ImmutableData
import StateEngine
import Testing
import Threading

/// A typed store with its listener, without JSON.
@Suite struct AnimalsListenerTests {
  private let store = Store(initialState: AnimalsState(), reducer: AnimalsReducer.reduce)

  @Test func itConnectsAStoreToADatabase() throws {
    let database = try LocalStore()
    let listener = AnimalsListener(store: database)
    listener.listen(to: self.store)
    listener.listen(to: self.store)
    try self.store.dispatch(action: .ui(.categoryList(.onAppear)))
    try self.store.dispatch(action: .ui(.animalList(.onAppear)))
    try listener.settle()
    #expect(self.store.state.categories.data.count == 6)
    try self.store.dispatch(
      action: .ui(
        .animalEditor(
          .onTapAddAnimalButton(
            id: "new", name: "Eagle", diet: .carnivorous, categoryId: "Bird"))))
    try listener.settle()
    #expect(self.store.select(AnimalsState.selectAnimalStatus(animalId: "new")) == .success)
    let birds = AnimalsState.selectAnimalsValues(categoryId: "Bird", sort: \.name)
    #expect(self.store.select(birds).map(\.name) == ["Eagle", "House sparrow"])
    #expect(try database.fetchAnimalsQuery().count == 7)
  }

  /// The actions of a batch have the effects that they would have one after the other.
  @Test func itPerformsTheActionsOfABatch() throws {
    let listener = AnimalsListener(store: try LocalStore())
    listener.listen(to: self.store)
    try self.store.dispatch(batch: [
      .ui(.categoryList(.onAppear)), .ui(.animalList(.onAppear)), .ui(.animalList(.onAppear)),
    ])
    try listener.settle()
    #expect(self.store.state.categories.status == .success)
    #expect(self.store.state.animals.status == .success)
  }

  @Test func itLeavesTheDatabaseOpen() throws {
    let database = try LocalStore()
    let listener = AnimalsListener(store: database)
    listener.listen(to: self.store)
    listener.cancel()
    #expect(try database.fetchCategoriesQuery().count == 6)
  }

  @Test func aFailureBecomesAPartOfTheState() throws {
    let database = try LocalStore()
    database.close()
    let listener = AnimalsListener(store: database)
    listener.listen(to: self.store)
    try self.store.dispatch(action: .ui(.animalList(.onAppear)))
    try listener.settle()
    #expect(
      self.store.state.animals.status == .failure(error: "the database was closed; open it again"))
    #expect(listener.failedEffects == 1)
  }

  @Test func theProgramMakesTheTextOfAFailure() throws {
    let database = try LocalStore()
    database.close()
    let listener = AnimalsListener(store: database) { "\(type(of: $0))" }
    listener.listen(to: self.store)
    try self.store.dispatch(action: .ui(.animalList(.onAppear)))
    try listener.settle()
    #expect(self.store.state.animals.status == .failure(error: "StorageError"))
  }

  @Test func itAppliesTheChangesOfOtherClients() throws {
    let streams = Mutex<[FetchTask]>([])
    let fetcher = Fetcher { task in
      if task.request.isStreamed {
        streams.withLock { $0.append(task) }
        let head = [FetchHeader("Content-Type", "text/event-stream")]
        try? task.receive(status: 200, headers: head, Array("event: reset\ndata: {}\n\n".utf8))
      } else {
        let body =
          #"{"query":[{"animals":{"animals":[\#(dog)]}},{"categories":{"categories":[]}}]}"#
        let head = [FetchHeader("Content-Type", "application/json")]
        try? task.resolve(status: 200, headers: head, Array(body.utf8))
      }
    }
    let listener = AnimalsListener(
      store: try RemoteStore(address: "http://127.0.0.1:8080", fetcher: fetcher))
    let reader = self.store.makeReader()
    func read(until action: AnimalsAction) {
      while case .element(let commit) = reader.next() {
        if commit.action == action { return }
      }
      Issue.record("the stream of actions ended")
    }
    listener.listen(to: self.store)
    try self.store.dispatch(action: .ui(.animalList(.onAppear)))
    read(until: .data(.connection(.didConnect)))
    #expect(self.store.state.connection == .following)
    let change = "id: 1\nevent: change\ndata: {\"updateAnimal\":{\"animal\":\(hound)}}\n\n"
    try streams.withLock { $0 }.last?.receive(status: 200, headers: [], Array(change.utf8))
    let animal = Animal(animalId: "Dog", name: "Hound", diet: .omnivorous, categoryId: "Bird")
    read(until: .data(.persistentSession(.didReceiveChange(change: .saved(animal: animal)))))
    #expect(self.store.state.animals.data["Dog"]?.name == "Hound")
  }

  @Test func argumentsOfARemoteStore() {
    let cases: [(String, String?, String)] = [
      (
        "localhost", nil,
        "address: \"localhost\" is not a valid URL; expected, for example, http://127.0.0.1:8080"
      ),
      ("http://host", "", "token: must not be empty"),
      (
        "http://host", "a\r\nb",
        "token: must contain only visible ASCII characters, no spaces or line breaks"
      ),
      (
        "http://host", String(repeating: "a", count: 4097),
        "token: must have at most 4096 characters"
      ),
    ]
    for (address, token, message) in cases {
      #expect(throws: EngineError(.invalidArgument, message)) {
        try RemoteStore(address: address, token: token, fetcher: Fetcher { _ in })
      }
    }
  }
}
