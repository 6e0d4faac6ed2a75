extension SharedDatabase {
  /// Copies the database to a new file, which appears when it is complete.
  ///
  /// A file is copied through a connection of its own, which only reads, in one transaction. So
  /// other threads and programs may read and write it meanwhile. While a database in memory is
  /// copied, other threads wait for it.
  ///
  /// - Throws: ``DatabaseError``: `invalid` if there is a file already, or if called inside a
  ///   transaction of a database in memory; `corrupt` if the database is damaged.
  package func backup(to path: String) throws {
    try self.requireOpen()
    try NewFile.create(path, like: self.file) { temporary in
      let milliseconds = self.lockRetry.milliseconds
      let copy = try Database(
        path: temporary, named: quotedPath(path), lockTimeout: milliseconds)
      defer { copy.close() }
      if let file = self.file {
        let reader = try Database(path: file, lockTimeout: milliseconds, isReadOnly: true)
        try reader.beginReading()
        try reader.copyPages(to: copy)
      } else {
        try self.use { database in
          guard !database.isInTransaction else {
            throw DatabaseError.isInTransaction(database.label)
          }
          try database.copyPages(to: copy)
        }
      }
      try copy.checkCopy(of: self.label)
      try copy.makeSingleFile()
    }
  }
}

extension DatabaseError {
  fileprivate static func isInTransaction(_ label: String) -> Self {
    Self(
      .invalid,
      "\(label) cannot be backed up inside a transaction; back it up after the transaction")
  }
}
