import ImmutableJSON
import ProductSupport
import SQLiteStorage
import StateEngine

extension LocalStore {
  /// The number of the last change; 0 before the first.
  ///
  /// Each added, updated or deleted animal and each reload is a change, with the next number.
  /// Numbers are stored with the data and never reused.
  public var lastChange: Int {
    get throws {
      try self.database.read { try $0.lastChange() }
    }
  }

  /// The changes after a number, in order.
  ///
  /// - Returns: `nil` if some of them were discarded (only the last 1,000 are stored), or if there
  ///   is no change with this number yet. The caller must then fetch everything.
  public func changes(
    after number: Int
  ) throws -> [(number: Int, change: RemoteResponse.Mutation)]? {
    try self.database.read { try $0.changes(after: number) }
  }
}

extension Database {
  fileprivate func lastChange() throws -> Int {
    try self.rows("SELECT coalesce(max(number), 0) FROM changes") { try $0.integer(0) }.first ?? 0
  }

  fileprivate func changes(
    after number: Int
  ) throws -> [(number: Int, change: RemoteResponse.Mutation)]? {
    guard number >= 0 else { return nil }
    // Includes the change with this number, to detect whether a later one was discarded. A single
    // statement, because another process may write between two.
    let stored = try self.rows(
      "SELECT number, mutation FROM changes WHERE number >= ? ORDER BY number", [.integer(number)]
    ) { row in
      (number: try row.integer(0), mutation: try row.text(1))
    }
    guard let first = stored.first else { return number == 0 ? [] : nil }
    guard first.number - 1 <= number else { return nil }
    return try stored.filter { $0.number > number }.map { change in
      let mutation = try RemoteResponse.Mutation(
        stored: change.mutation, number: change.number, in: self.label)
      return (change.number, mutation)
    }
  }

  /// Stores a change, and discards the oldest if there are too many.
  func append(_ change: RemoteResponse.Mutation) throws {
    let mutation = try Value(encoding: change).json
    do {
      try self.run("INSERT INTO changes (mutation) VALUES (?)", [.text(mutation)])
    } catch {
      // SQLite reports a full disk if the last number is in use.
      guard (try? self.isLastNumberInUse()) == true else { throw error }
      throw DatabaseError.damaged(self.label, "no number is left for another change")
    }
    try self.run(
      "DELETE FROM changes WHERE number <= (SELECT max(number) FROM changes) - ?",
      [.integer(maximumChanges)])
  }

  private func isLastNumberInUse() throws -> Bool {
    try self.rows(
      """
      SELECT EXISTS (SELECT 1 FROM changes WHERE number = ?)
        OR EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'changes' AND seq >= ?)
      """, [.integer(.max), .integer(.max)]
    ) { try $0.integer(0) } == [1]
  }
}

/// The maximum number of stored changes.
private let maximumChanges = 1_000

extension RemoteResponse.Mutation {
  fileprivate init(stored text: String, number: Int, in label: String) throws(DatabaseError) {
    do {
      self = try Value(json: text).decode()
    } catch {
      throw DatabaseError(.corrupt, reason(error, in: "mutation"))
        .whileReading("the change \(number)", in: label)
    }
  }
}
