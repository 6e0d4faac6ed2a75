import AnimalsData
import ImmutableJSON
import StateEngine
import TestSupport
import Testing

/// A store with history: the truth is in a database.
@Suite struct UndoableActionsTests {
  private static let reason =
    "the animals are in a database or on a server, which an old state does not change; dispatch an "
    + "action that changes them back, such as ui/animalEditor/onTapUpdateAnimalButton"

  @Test func noActionCanBeUndone() throws {
    let store = try AnyStore(AnimalsDomain.self, options: ["history": true])
    for action in [
      ui("animalList/onAppear"),
      ui("animalList/onTapDeleteSelectedAnimalButton", #"{"animalId":"Dog"}"#),
    ] {
      try store.dispatch(Value(json: action))
      try store.settle()
    }
    let state = try store.state()
    #expect(
      try store.history().stepTypes == [
        "ui/animalList/onAppear", "data/persistentSession/didFetchAnimals",
        "ui/animalList/onTapDeleteSelectedAnimalButton", "data/persistentSession/didDeleteAnimal",
      ])
    #expect(
      throws: EngineError(
        .invalidArgument, "step 4 cannot be undone or redone: \(Self.reason)")
    ) {
      try store.undo()
    }
    #expect(
      throws: EngineError(
        .invalidArgument, "step 4 cannot be undone or redone: \(Self.reason)")
    ) {
      try store.travel(to: 0)
    }
    #expect(try store.state() == state)
    #expect(try store.select("@@history")["undo"] == 4)
  }
}
