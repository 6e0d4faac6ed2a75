import ImmutableJSON
import ProductSupport
import SQLiteStorage

/// The numbers of the format; the first has the bytes of "Qake".
private let format = DatabaseFormat(
  application: 0x5161_6B65, version: 1,
  schema: """
    CREATE TABLE quakes (
      quake_id TEXT PRIMARY KEY NOT NULL, magnitude REAL NOT NULL, time INTEGER NOT NULL,
      updated INTEGER NOT NULL, name TEXT NOT NULL, longitude REAL NOT NULL,
      latitude REAL NOT NULL);
    """)

extension Database {
  /// Creates the table, unless it exists.
  func prepareForQuakes() throws {
    // Checks the format before any write, so that another program's file is not modified.
    let isPrepared = try format.isCurrent(in: self)
    try self.makeDurable()
    guard !isPrepared else { return }
    try self.transaction {
      // Another process may have created the table meanwhile.
      guard try !format.isCurrent(in: self) else { return }
      try format.create(in: self)
    }
  }

  func quakes() throws -> [Quake] {
    try self.rows(
      "SELECT quake_id, magnitude, time, updated, name, longitude, latitude FROM quakes"
    ) { try Quake(row: $0, in: self.label) }
  }

  /// Inserts a quake, or replaces the one with its id if it differs.
  ///
  /// - Returns: The number of rows that were written.
  func put(_ quake: Quake) throws -> Int {
    try self.run(
      """
      INSERT INTO quakes (quake_id, magnitude, time, updated, name, longitude, latitude)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (quake_id) DO UPDATE SET
        magnitude = excluded.magnitude, time = excluded.time, updated = excluded.updated,
        name = excluded.name, longitude = excluded.longitude, latitude = excluded.latitude
      WHERE (magnitude, time, updated, name, longitude, latitude) IS NOT (
        excluded.magnitude, excluded.time, excluded.updated, excluded.name, excluded.longitude,
        excluded.latitude)
      """,
      [
        .text(quake.quakeId), .real(quake.magnitude), .integer(Int(quake.time.milliseconds)),
        .integer(Int(quake.updated.milliseconds)), .text(quake.name), .real(quake.longitude),
        .real(quake.latitude),
      ])
  }

  /// - Returns: The number of rows that were deleted.
  func deleteQuake(_ quakeId: Quake.ID) throws -> Int {
    guard !quakeId.containsNUL else { return 0 }
    return try self.run("DELETE FROM quakes WHERE quake_id = ?", [.text(quakeId)])
  }

  func deleteAllQuakes() throws {
    try self.run("DELETE FROM quakes")
  }
}

extension Quake {
  fileprivate init(row: Row, in label: String) throws(DatabaseError) {
    var id: String?
    do {
      let quakeId = try row.text(0)
      id = quakeId
      self.init(
        quakeId: quakeId, magnitude: try row.real(1),
        time: Timestamp(milliseconds: Int64(try row.integer(2))),
        updated: Timestamp(milliseconds: Int64(try row.integer(3))), name: try row.text(4),
        longitude: try row.real(5), latitude: try row.real(6))
    } catch {
      throw error.whileReading(id.map { "the quake \(quoted($0))" } ?? "a quake", in: label)
    }
  }
}
