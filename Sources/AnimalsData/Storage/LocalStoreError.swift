import SQLiteStorage

extension LocalStore {
  /// Why a store could not be opened, or a call failed: a code for programs, a message for people.
  public struct Error: Swift.Error, Hashable {
    public enum Code: Hashable, Sendable {
      case animalNotFound
      /// The file could not be opened, read or written, or another program has it locked.
      case io
      /// The file is not a database of animals, or its content is damaged.
      case corrupt
      /// A path or text that cannot be stored.
      case invalid
      /// The store was closed.
      case closed
    }

    public let code: Code

    /// A sentence that says what was wrong and, unless it is obvious, what to do.
    public let message: String
  }
}

extension LocalStore.Error: CustomStringConvertible {
  public var description: String {
    self.message
  }
}

extension LocalStore.Error {
  init(notFound animalId: Animal.ID) {
    self.init(code: .animalNotFound, message: "there is no animal \"\(animalId)\"")
  }

  init(_ error: DatabaseError) {
    let code: Code =
      switch error.code {
      case .io: .io
      case .corrupt: .corrupt
      case .invalid: .invalid
      case .closed: .closed
      }
    self.init(code: code, message: error.message)
  }

  /// Converts an error of the database or its file.
  init(ofDatabase error: any Swift.Error) {
    self = (error as? DatabaseError).map(Self.init) ?? Self(code: .io, message: "\(error)")
  }
}
