import AnimalsData
import ImmutableJSON
import StateEngine
import Testing

/// The domain with its database, from the action to the state.
@Suite struct LocalEffectsTests {
  @Test func fromActionToState() throws {
    let store = try AnyStore(AnimalsDomain.self)
    try store.dispatch(["type": "ui/categoryList/onAppear"])
    try store.dispatch(["type": "ui/animalList/onAppear"])
    try store.settle()
    #expect(try store.select("selectCategoriesStatus") == ["success": [:]])
    let add: Value = [
      "type": "ui/animalEditor/onTapAddAnimalButton",
      "payload": ["id": "new", "name": "Eagle", "diet": "Carnivore", "categoryId": "Bird"],
    ]
    try store.dispatch(add)
    try store.settle()
    #expect(try store.select("selectAnimalStatus", ["animalId": "new"]) == ["success": [:]])
    guard case .object(let birds) = try store.select("selectAnimals", ["categoryId": "Bird"])
    else {
      Issue.record("the birds are not an object")
      return
    }
    #expect(birds.values.map { $0["name"] }.contains("Eagle"))
    #expect(birds.count == 2)
  }

  @Test func invalidOptions() {
    let cases: [(Value, EngineError.Code, String)] = [
      (["store": "/no/such/folder/x"], .io, "does not exist"),
      (["store": 1], .invalidArgument, "options/store"),
      (["store": "a", "remote": "http://a"], .invalidArgument, "exclude each other"),
      (["remote": "localhost"], .invalidArgument, "\"localhost\" is not a valid URL"),
      (["remote": "http://"], .invalidArgument, "is not a valid URL"),
      (["remote": "http://a b"], .invalidArgument, "is not a valid URL"),
      (["remote": "http://a?b"], .invalidArgument, "has a query"),
      (["remote": "http://a:b@c"], .invalidArgument, "\"…@c\" has a user name or password"),
      (
        ["remote": "http://127.0.0.1:99999"], .invalidArgument,
        "options/remote: the port of \"http://127.0.0.1:99999\" is not between 1 and 65535"
      ),
      (["remote": "http://a", "timeout": 0], .invalidArgument, "options/timeout"),
    ]
    for (options, code, part) in cases {
      do {
        _ = try AnyStore(AnimalsDomain.self, options: options)
        Issue.record("\(options) was accepted")
      } catch {
        #expect(error.code == code)
        #expect(error.message.contains(part), "\(error.message)")
      }
    }
  }
}
