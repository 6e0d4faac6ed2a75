import SQLiteStorage

extension LocalStore {
  /// Why a store could not be opened, or a call failed: a code for programs, words for people.
  public struct Error: Swift.Error, Hashable {
    public enum Code: Hashable, Sendable {
      case animalNotFound
      /// The file could not be opened, read or written, or another program has it.
      case io
      /// The file is no database of animals, or holds what was not written to it.
      case corrupt
      /// A path or text that cannot be kept.
      case invalid
      /// The store was closed.
      case closed
    }

    public let code: Code

    /// What was wrong, and where that is not plain, what to do.
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

  /// What opening threw.
  init(opening error: any Swift.Error) {
    self = (error as? DatabaseError).map(Self.init) ?? Self(code: .io, message: "\(error)")
  }
}
