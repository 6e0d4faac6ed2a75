import ImmutableJSON
import SQLiteStorage

extension DatabaseFormat {
  /// A table, view or trigger; for a table, one of its columns.
  private typealias Part = (kind: String, name: String, column: String)

  /// Checks that a database has the tables of the schema, and no triggers or views, which could run
  /// any statement whenever a table is used. It may have more columns, tables and indexes.
  func checkTables(in database: Database) throws {
    let parts = try self.parts(of: database)
    let model = try Database(path: nil, lockTimeout: 0)
    try model.execute(self.schema)
    for expected in try self.parts(of: model) {
      let found = parts.filter {
        $0.kind != "trigger" && $0.name.lowercased() == expected.name.lowercased()
      }
      if let problem = Self.problem(with: found, expected) {
        throw DatabaseError(
          .corrupt, "\(database.label) does not have the expected tables: \(problem)")
      }
    }
    for part in parts where ["trigger", "view"].contains(part.kind) {
      throw DatabaseError(
        .corrupt,
        "\(database.label) has the \(part.kind) \(quoted(part.name)) of another program; "
          + "remove it with \"DROP \(part.kind.uppercased())\"")
    }
  }

  /// What is wrong with the parts that have the name of an expected table.
  private static func problem(with found: [Part], _ expected: Part) -> String? {
    let name = quoted(expected.name)
    guard let kind = found.first?.kind else { return "there is no table \(name)" }
    guard kind == expected.kind else { return "\(name) is a \(kind), not a \(expected.kind)" }
    let columns = found.map { $0.column.lowercased() }
    guard columns.contains(expected.column.lowercased()) else {
      return "the table \(name) has no column \(quoted(expected.column))"
    }
    return nil
  }

  /// The parts of a database, except those that SQLite created itself.
  private func parts(of database: Database) throws -> [Part] {
    // Only ordinary tables have pages. The columns of the others might have to be computed.
    try database.rows(
      """
      WITH objects AS (
        SELECT CASE WHEN type = 'table' AND coalesce(rootpage, 0) = 0 THEN 'virtual table'
          ELSE type END AS kind, name
        FROM sqlite_schema)
      SELECT kind, objects.name, coalesce(columns.name, '')
      FROM objects
      LEFT JOIN pragma_table_info(iif(kind = 'table', objects.name, NULL)) AS columns
      WHERE kind <> 'index' AND objects.name NOT LIKE 'sqlite!_%' ESCAPE '!'
      """
    ) { (try $0.text(0), try $0.text(1), try $0.text(2)) }
  }
}
