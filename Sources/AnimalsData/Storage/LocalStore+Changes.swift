import ImmutableJSON
import SQLiteStorage

extension LocalStore {
  /// The number of the last change; 0 if there was none.
  ///
  /// Each animal that is added, updated or deleted and each reload is a change and has the next
  /// number. Numbers are kept with the data, and no number is given twice.
  public var lastChange: Int {
    get throws {
      try self.read { try $0.lastChange() }
    }
  }

  /// The changes after a number, in order.
  ///
  /// - Returns: `nil` if not all of them are kept any more (the last 1,000 are), or if there was no
  ///   such number yet: then all has to be fetched again.
  public func changes(
    after number: Int
  ) throws -> [(number: Int, change: RemoteResponse.Mutation)]? {
    try self.read { try $0.changes(after: number) }
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
    // With the change of this number, which shows that none is missing in between. In one
    // statement, since others may write between two.
    let kept = try self.rows(
      "SELECT number, mutation FROM changes WHERE number >= ? ORDER BY number", [.integer(number)]
    ) { row in
      (number: try row.integer(0), mutation: try row.text(1))
    }
    guard let first = kept.first else { return number == 0 ? [] : nil }
    guard first.number - 1 <= number else { return nil }
    return try kept.filter { $0.number > number }.map { kept in
      (kept.number, try RemoteResponse.Mutation(kept: kept.mutation, kept.number))
    }
  }

  /// Notes a change, and forgets the one that is no longer among those that are kept.
  func append(_ change: RemoteResponse.Mutation) throws {
    let mutation = try Value(encoding: change).json
    try self.run("INSERT INTO changes (mutation) VALUES (?)", [.text(mutation)])
    try self.run(
      "DELETE FROM changes WHERE number <= (SELECT max(number) FROM changes) - ?",
      [.integer(changesKept)])
  }
}

/// How many changes are kept.
private let changesKept = 1_000

extension RemoteResponse.Mutation {
  fileprivate init(kept text: String, _ number: Int) throws(DatabaseError) {
    do {
      self = try Value(json: text).decode()
    } catch {
      throw DatabaseError(.corrupt, "change \(number) cannot be read: \(error)")
    }
  }
}
