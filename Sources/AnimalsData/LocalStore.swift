import ImmutableData
import ImmutableJSON
import SQLite

/// Animals and categories in a database of SQLite, on one file or in memory.
///
/// It may be used from any thread; calls take turns. What a call has done is on disk when it returns.
/// Each change of an animal, and each reload, has a number, by which others follow: ``changes(after:)``.
public final class LocalStore: PersistentStore {
  public struct Error: Swift.Error, Hashable {
    public enum Code: Hashable, Sendable {
      case animalNotFound
      /// The file cannot be opened, read or written; another program has it; there is no room.
      case io
      /// The file is damaged, or is no database of animals.
      case corrupt
      case closed
    }

    public let code: Code
    public let message: String
  }

  private struct State: @unchecked Sendable {
    /// Used by the thread that has the turn alone.
    var tables: AnimalTables?
    var turn: ThreadIdentity?
  }

  private let state: Mutex<State>
  private let hasEnded = Condition()

  /// Opens the database at a path, or one of its own in memory. It is made if there is none, and gets
  /// the sample data if it has no categories.
  public init(path: String?) throws(LocalStore.Error) {
    do {
      self.state = Mutex(State(tables: try AnimalTables(path: path)))
    } catch {
      throw LocalStore.Error(error)
    }
  }
}

// MARK: Calls

extension LocalStore {
  public func fetchAnimalsQuery() throws -> [Animal] {
    try self.withTurn { try $0.animals }
  }

  public func fetchCategoriesQuery() throws -> [Category] {
    try self.withTurn { try $0.categories }
  }

  public func addAnimalMutation(
    name: String, diet: Diet, categoryId: Category.ID
  ) throws -> Animal {
    try self.withTurn { tables in
      let animal = Animal(
        animalId: makeUUID(), name: name, diet: diet, categoryId: categoryId)
      return try tables.transaction {
        try tables.insert(animal)
        try tables.note(.addAnimal(animal: animal))
        return animal
      }
    }
  }

  public func updateAnimalMutation(
    animalId: Animal.ID, name: String, diet: Diet, categoryId: Category.ID
  ) throws -> Animal {
    try self.withTurn { tables in
      let animal = Animal(animalId: animalId, name: name, diet: diet, categoryId: categoryId)
      return try tables.transaction {
        guard try tables.update(animal) else { throw LocalStore.Error(notFound: animalId) }
        try tables.note(.updateAnimal(animal: animal))
        return animal
      }
    }
  }

  public func deleteAnimalMutation(animalId: Animal.ID) throws -> Animal {
    try self.withTurn { tables in
      try tables.transaction {
        guard let animal = try tables.delete(animalId) else {
          throw LocalStore.Error(notFound: animalId)
        }
        try tables.note(.deleteAnimal(animal: animal))
        return animal
      }
    }
  }

  public func reloadSampleDataMutation() throws -> (animals: [Animal], categories: [Category]) {
    try self.withTurn { tables in
      try tables.transaction {
        try tables.fillWithSampleData()
        let (animals, categories) = (SampleData.animals, SampleData.categories)
        try tables.note(.reloadSampleData(animals: animals, categories: categories))
        return (animals, categories)
      }
    }
  }

  /// Runs several calls as one: all of what they did is kept or, if `body` throws, nothing.
  public func transaction<Result>(_ body: (LocalStore) throws -> Result) throws -> Result {
    try self.withTurn { tables in try tables.transaction { try body(self) } }
  }

  /// Closes the database. Calls from then on throw; a second time it does nothing.
  public func close() {
    let tables = try? self.withTurn { tables in
      self.state.withLock { $0.tables = nil }
      return tables
    }
    withExtendedLifetime(tables) {}
  }
}

// MARK: Changes

extension LocalStore {
  /// The number of the last change, 0 if there was none.
  public var lastChange: Int {
    get throws { try self.withTurn { try $0.lastChange } }
  }

  /// The changes after a number, in order; `nil` if not all of them are kept any more (the last 1,000
  /// are), or if there was no change of that number.
  public func changes(
    after number: Int
  ) throws -> [(number: Int, change: RemoteResponse.Mutation)]? {
    try self.withTurn { tables in
      try tables.transaction { try tables.changes(after: number) }
    }
  }
}

extension LocalStore {
  /// Runs `body` while no other thread has the tables. One inside another takes part in it.
  private func withTurn<Result>(_ body: (AnimalTables) throws -> Result) throws -> Result {
    let isInside = self.state.withLock { $0.turn?.isCurrent == true }
    if !isInside {
      self.state.withLock(after: self.hasEnded, until: { $0.turn == nil }) { $0.turn = .current }
    }
    defer {
      if !isInside {
        self.state.withLock { $0.turn = nil }
        self.hasEnded.broadcast()
      }
    }
    guard let tables = self.state.withLock({ $0.tables }) else {
      throw LocalStore.Error(code: .closed, message: "the store of animals was closed")
    }
    do {
      return try body(tables)
    } catch let error as SQLiteError {
      throw LocalStore.Error(error)
    }
  }
}

extension LocalStore.Error: CustomStringConvertible {
  public var description: String {
    self.message
  }
}

extension LocalStore.Error {
  fileprivate init(_ error: any Error) {
    switch error {
    case let error as LocalStore.Error: self = error
    case let error as SQLiteError:
      self.init(code: error.kind == .corrupt ? .corrupt : .io, message: error.message)
    default: self.init(code: .corrupt, message: "\(error)")
    }
  }

  fileprivate init(notFound animalId: Animal.ID) {
    self.init(code: .animalNotFound, message: "there is no animal \(quoted(animalId))")
  }
}

/// A random UUID (RFC 9562, version 4), in upper case.
private func makeUUID() -> String {
  var bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
  bytes[6] = bytes[6] & 0x0F | 0x40
  bytes[8] = bytes[8] & 0x3F | 0x80
  let digits = Array("0123456789ABCDEF")
  return bytes.enumerated().reduce(into: "") { text, byte in
    if [4, 6, 8, 10].contains(byte.offset) { text.append("-") }
    text.append(digits[Int(byte.element >> 4)])
    text.append(digits[Int(byte.element & 0x0F)])
  }
}
