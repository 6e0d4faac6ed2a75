import StateEngine

/// Animals by category, kept in a database: what is shown and edited of them.
public enum AnimalsDomain: Domain {
  public static let name = "animals"

  public static let summary = "Animals by category, and how far what is done to them is."

  public static var initialState: AnimalsState {
    AnimalsState()
  }

  public static func reduce(_ state: AnimalsState, _ action: AnimalsAction) throws -> AnimalsState {
    try AnimalsReducer.reduce(state: state, action: action)
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
          .init("status", .nullable(self.status), isRequired: false, "How far fetching is."),
        ]), "The categories."),
      .init(
        "animals",
        .object([
          .init("data", .dictionary(self.animal), "By id."),
          .init("status", .nullable(self.status), isRequired: false, "How far fetching is."),
          .init("queue", .dictionary(self.status), "How far what is done to each is, by id."),
        ]), "The animals."),
      .init(
        "connection", .nullable(self.connection), isRequired: false,
        "What is known of the connection to the server; null without one."),
    ])
  }

  private static var connection: Schema {
    .variants([
      .init("connecting", [], "It begins, or what may have changed is fetched again."),
      .init("following", [], "It is there: changes of others arrive."),
      .init("lost", [self.since, self.reason], "The connection is lost: the data may be old."),
      .init("retrying", [self.since, self.reason], "It was lost, and begins again."),
    ])
  }

  private static var since: Schema.Property {
    .init("since", .integer, "Since when it is lost, in milliseconds since 1970.")
  }

  private static var reason: Schema.Property {
    .init("error", .string, "Why.")
  }

  private static var category: Schema {
    .object([.init("categoryId", .string, "Which."), .init("name", .string, "What it is called.")])
  }

  private static var animal: Schema {
    .object([self.animalId, self.animalName, self.diet, self.animalCategory])
  }

  private static var status: Schema {
    .variants([
      .init("empty", [], "Nothing was done."),
      .init("waiting", [], "It is under way."),
      .init("success", [], "It succeeded."),
      .init("failure", [.init("error", .string, "Why.")], "It failed."),
    ])
  }

  private static var animalId: Schema.Property {
    .init("animalId", .string, "Which animal.")
  }

  private static var animalName: Schema.Property {
    .init("name", .string, "What it is called.")
  }

  private static var diet: Schema.Property {
    .init("diet", .oneOf(Diet.allCases.map(\.rawValue)), "What it eats.")
  }

  private static var animalCategory: Schema.Property {
    .init("categoryId", .string, "Its category.")
  }

  /// The result of something: what it gave, or why it failed.
  private static func result(_ success: [Schema.Property]) -> Schema.Property {
    .init(
      "result",
      .variants([
        .init("success", success, "It succeeded."),
        .init("failure", [.init("error", .string, "Why.")], "It failed."),
      ]), "What became of it.")
  }
}

// MARK: Actions

extension AnimalsDomain {
  public static var actions: [ActionDescription] {
    self.uiActions + self.dataActions + self.connectionActions
  }

  private static var connectionActions: [ActionDescription] {
    let connection = "data/connection"
    return [
      .init("\(connection)/didBeginConnecting", "The store connects to its server."),
      .init("\(connection)/didConnect", "The store is connected and up to date."),
      .init(
        "\(connection)/didDisconnect", "The connection was lost, or an attempt failed.",
        payload: [
          .init("time", .integer, "When, in milliseconds since 1970."), self.reason,
        ]),
      .init("\(connection)/didStop", "The function that makes requests was removed."),
    ]
  }

  private static var uiActions: [ActionDescription] {
    [
      .init("ui/categoryList/onAppear", "The list of categories appears: fetches them once."),
      .init(
        "ui/categoryList/onTapReloadSampleDataButton", "Replaces all data by the sample data."),
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
          .init("id", .string, "Made up by the editor, to follow the status by."),
          self.animalName, self.diet, self.animalCategory,
        ]),
      .init(
        "ui/animalEditor/onTapUpdateAnimalButton", "Changes an animal.",
        payload: [self.animalId, self.animalName, self.diet, self.animalCategory]),
    ]
  }

  private static var dataActions: [ActionDescription] {
    let animals = Schema.Property("animals", .array(self.animal), "The animals.")
    let categories = Schema.Property("categories", .array(self.category), "The categories.")
    let animal = Schema.Property("animal", self.animal, "The animal.")
    let session = "data/persistentSession"
    return [
      .init(
        "\(session)/didFetchCategories", "Categories were fetched.",
        payload: [self.result([categories])]),
      .init(
        "\(session)/didFetchAnimals", "Animals were fetched.", payload: [self.result([animals])]),
      .init(
        "\(session)/didReloadSampleData", "All data was replaced.",
        payload: [self.result([animals, categories])]),
      .init(
        "\(session)/didAddAnimal", "An animal was added.",
        payload: [.init("id", .string, "What the editor made up."), self.result([animal])]),
      .init(
        "\(session)/didUpdateAnimal", "An animal was changed.",
        payload: [self.animalId, self.result([animal])]),
      .init(
        "\(session)/didDeleteAnimal", "An animal was deleted.",
        payload: [self.animalId, self.result([animal])]),
      .init(
        "\(session)/didReceiveChange", "Someone else changed an animal.",
        payload: [
          .init(
            "change",
            .variants([
              .init("saved", [animal], "It was added or changed."),
              .init("deleted", [animal], "It was deleted."),
            ]), "What changed.")
        ]),
    ]
  }
}
