/// Events of the user interface and of the persistent store.
public enum AnimalsAction: Codable, Hashable, Sendable {
  case ui(UI)
  case data(Data)
}

extension AnimalsAction {
  public enum UI: Codable, Hashable, Sendable {
    case categoryList(CategoryList)
    case animalList(AnimalList)
    case animalDetail(AnimalDetail)
    case animalEditor(AnimalEditor)
  }

  public enum Data: Codable, Hashable, Sendable {
    case persistentSession(PersistentSession)
    case connection(Connection)
  }
}

extension AnimalsAction.UI {
  public enum CategoryList: Codable, Hashable, Sendable {
    case onAppear
    case onTapReloadSampleDataButton
  }

  public enum AnimalList: Codable, Hashable, Sendable {
    case onAppear
    case onTapDeleteSelectedAnimalButton(animalId: Animal.ID)
  }

  public enum AnimalDetail: Codable, Hashable, Sendable {
    case onTapDeleteSelectedAnimalButton(animalId: Animal.ID)
  }

  public enum AnimalEditor: Codable, Hashable, Sendable {
    case onTapAddAnimalButton(id: Animal.ID, name: String, diet: Diet, categoryId: Category.ID)
    case onTapUpdateAnimalButton(
      animalId: Animal.ID, name: String, diet: Diet, categoryId: Category.ID)
  }
}

extension AnimalsAction.Data {
  public enum PersistentSession: Codable, Hashable, Sendable {
    case didFetchCategories(result: FetchCategoriesResult)
    case didFetchAnimals(result: FetchAnimalsResult)
    case didReloadSampleData(result: ReloadSampleDataResult)
    case didAddAnimal(id: Animal.ID, result: AnimalResult)
    case didUpdateAnimal(animalId: Animal.ID, result: AnimalResult)
    case didDeleteAnimal(animalId: Animal.ID, result: AnimalResult)
    /// The server reported a change that the state does not show. Usually another client made it.
    case didReceiveChange(change: Change)
  }
}

extension AnimalsAction.Data {
  /// Events of a store's connection to its server.
  public enum Connection: Codable, Hashable, Sendable {
    /// Also sent before everything is fetched again.
    case didBeginConnecting
    case didConnect
    /// `time` is in milliseconds since 1970.
    case didDisconnect(time: Int64, error: String)
    /// The function that performs requests was removed.
    case didStop
  }
}

extension AnimalsAction.Data.PersistentSession {
  public enum FetchCategoriesResult: Codable, Hashable, Sendable {
    case success(categories: [Category])
    case failure(error: String)
  }

  public enum FetchAnimalsResult: Codable, Hashable, Sendable {
    case success(animals: [Animal])
    case failure(error: String)
  }

  public enum ReloadSampleDataResult: Codable, Hashable, Sendable {
    case success(animals: [Animal], categories: [Category])
    case failure(error: String)
  }

  public enum Change: Codable, Hashable, Sendable {
    case saved(animal: Animal)
    case deleted(animal: Animal)
  }

  /// The result of adding, updating or deleting an animal.
  public enum AnimalResult: Codable, Hashable, Sendable {
    case success(animal: Animal)
    case failure(error: String)
  }
}
