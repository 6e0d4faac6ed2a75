import SQLiteStorage
import StateEngine

/// Why a database could not be opened, or a query or mutation failed: a code for programs, a
/// message for people.
public struct StorageError: Error, Hashable {
  public enum Code: Hashable, Sendable {
    /// A record does not exist.
    case notFound
    /// The file could not be opened, read or written, or another program has it locked.
    case io
    /// The file is not a database of the domain, or its content is damaged.
    case corrupt
    /// A path that cannot be used, a text that cannot be stored, or a backup of a database in
    /// memory inside a transaction.
    case invalid
    /// The database was closed.
    case closed
  }

  public let code: Code

  /// A sentence that says what was wrong and, unless it is obvious, what to do.
  public let message: String

  package init(code: Code, message: String) {
    self.code = code
    self.message = message
  }
}

extension StorageError: CustomStringConvertible {
  public var description: String {
    self.message
  }
}

extension DatabaseError {
  /// This error, as that of a row that cannot be read.
  ///
  /// - Parameters:
  ///   - record: What the row contains, such as `the animal "Dog"`.
  ///   - label: The name of the database in messages.
  package func whileReading(_ record: String, in label: String) -> DatabaseError {
    DatabaseError(
      self.code,
      "\(record) in \(label) cannot be read: \(self.message); correct the row, or restore the "
        + "database from a backup")
  }
}

extension StorageError {
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
}

extension EngineError {
  /// Converts the error of a database.
  package init(_ error: StorageError) {
    let code: Code =
      switch error.code {
      case .io: .io
      case .corrupt: .corrupt
      case .invalid: .invalidArgument
      case .closed: .closed
      case .notFound: .notFound
      }
    self.init(code, error.message)
  }
}
