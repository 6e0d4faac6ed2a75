import ProductSupport
import StateEngine

/// The domain `animals`: animals by category, in a database or on a server.
public enum AnimalsDomain: Domain {
  public static let name = "animals"

  public static let summary = "Animals by category, in a database or on a server."

  public static var logRefusal: String? {
    "keeps its records in a database or on a server, which a log cannot restore"
  }

  public static var initialState: AnimalsState {
    AnimalsState()
  }

  public static func reduce(_ state: AnimalsState, _ action: AnimalsAction) throws -> AnimalsState {
    try AnimalsReducer.reduce(state: state, action: action)
  }

  public static var undoable: UndoableActions<AnimalsAction> {
    .none(
      because: "the animals are in a database or on a server, which an old state does not change; "
        + "dispatch an action that changes them back, such as "
        + "ui/animalEditor/onTapUpdateAnimalButton")
  }
}

// MARK: Shapes

extension AnimalsDomain {
  public static var stateSchema: Schema {
    .object([
      .init(
        "categories",
        .object([
          .init("data", .dictionary(self.category), "By id."),
          .init("status", .nullable(.status), isRequired: false, "The status of fetching."),
        ]), "The categories."),
      .init(
        "animals",
        .object([
          .init("data", .dictionary(self.animal), "By id."),
          .init("status", .nullable(.status), isRequired: false, "The status of fetching."),
          .init("queue", .dictionary(.status), "The status of the last change of each, by id."),
        ]), "The animals."),
      .init(
        "connection", .nullable(self.connection), isRequired: false,
        "The status of the connection to the server; null without one."),
    ])
  }

  private static var connection: Schema {
    .variants([
      .init("connecting", [], "It is being established, or everything is fetched again."),
      .init("following", [], "It is established: changes of others arrive."),
      .init("lost", [self.since, .reason], "It was lost: the data may be out of date."),
      .init("retrying", [self.since, .reason], "It was lost, and is being established again."),
    ])
  }

  private static var since: Schema.Property {
    .init("since", .integer, "When it was lost, in milliseconds since 1970.")
  }

  private static var category: Schema {
    .object([.init("categoryId", .string, "The id."), .init("name", .string, "The name.")])
  }

  private static var animal: Schema {
    .object([self.animalId, self.animalName, self.diet, self.animalCategory])
  }

  private static var animalId: Schema.Property {
    .init("animalId", .string, "The id of the animal.")
  }

  private static var animalName: Schema.Property {
    .init("name", .string, "The name.")
  }

  private static var diet: Schema.Property {
    .init("diet", .oneOf(Diet.allCases.map(\.rawValue)), "The diet.")
  }

  private static var animalCategory: Schema.Property {
    .init("categoryId", .string, "Its category.")
  }
}

// MARK: Actions

extension AnimalsDomain {
  public static var actions: [ActionDescription<Action>] {
    self.uiActions + self.dataActions + self.connectionActions
  }

  public static var actionGroups: [ActionGroup<AnimalsAction>] {
    [
      ActionGroup("ui/animalList") { .ui(.animalList($0)) },
      ActionGroup("ui/animalDetail") { .ui(.animalDetail($0)) },
      ActionGroup("ui/animalEditor") { .ui(.animalEditor($0)) },
      ActionGroup("data/persistentSession") { .data(.persistentSession($0)) },
    ]
  }

  private static var connectionActions: [ActionDescription<Action>] {
    let connection = "data/connection"
    return [
      .init("\(connection)/didBeginConnecting", "The store connects to its server."),
      .init(
        "\(connection)/didConnect",
        "The store is connected, and receives the changes that it has missed."),
      .init(
        "\(connection)/didDisconnect", "The connection was lost, or an attempt failed.",
        payload: [
          .init("time", .integer, "The time, in milliseconds since 1970."), .reason,
        ]),
      .init("\(connection)/didStop", "The function that performs requests was removed."),
    ]
  }

  private static var uiActions: [ActionDescription<Action>] {
    [
      .init("ui/categoryList/onAppear", "The list of categories appears: fetches them once."),
      .init(
        "ui/categoryList/onTapReloadSampleDataButton", "Replaces all data with the sample data."),
      .init("ui/animalList/onAppear", "A list of animals appears: fetches them once."),
      .init(
        "ui/animalList/onTapDeleteSelectedAnimalButton", "Deletes an animal.",
        payload: [self.animalId]),
      .init(
        "ui/animalDetail/onTapDeleteSelectedAnimalButton", "Deletes an animal.",
        payload: [self.animalId]),
      .init(
        "ui/animalEditor/onTapAddAnimalButton", "Adds an animal.",
        payload: [
          .init("id", .string, "A temporary id, made by the editor, for the status."),
          self.animalName, self.diet, self.animalCategory,
        ]),
      .init(
        "ui/animalEditor/onTapUpdateAnimalButton", "Changes an animal.",
        payload: [self.animalId, self.animalName, self.diet, self.animalCategory]),
    ]
  }

  private static var dataActions: [ActionDescription<Action>] {
    let animals = Schema.Property("animals", .array(self.animal), "The animals.")
    let categories = Schema.Property("categories", .array(self.category), "The categories.")
    let animal = Schema.Property("animal", self.animal, "The animal.")
    let session = "data/persistentSession"
    return [
      .init(
        "\(session)/didFetchCategories", "Categories were fetched.",
        payload: [.result([categories])]),
      .init(
        "\(session)/didFetchAnimals", "Animals were fetched.", payload: [.result([animals])]),
      .init(
        "\(session)/didReloadSampleData", "All data was replaced.",
        payload: [.result([animals, categories])]),
      .init(
        "\(session)/didAddAnimal", "An animal was added.",
        payload: [.init("id", .string, "The temporary id of the editor."), .result([animal])]),
      .init(
        "\(session)/didUpdateAnimal", "An animal was changed.",
        payload: [self.animalId, .result([animal])]),
      .init(
        "\(session)/didDeleteAnimal", "An animal was deleted.",
        payload: [self.animalId, .result([animal])]),
      .init(
        "\(session)/didReceiveChange", "Another client changed an animal.",
        payload: [
          .init(
            "change",
            .variants([
              .init("saved", [animal], "It was added or changed."),
              .init("deleted", [animal], "It was deleted."),
            ]), "The change.")
        ]),
    ]
  }
}
