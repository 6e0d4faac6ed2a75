import CSQLiteFunctions

/// The current row of a statement, valid until its next step.
package struct Row {
  /// Retained, so that its handle stays valid. SQLite reports a missing column as NULL.
  let statement: Statement
}

extension Row {
  /// The text in a column.
  ///
  /// - Parameter column: The index of the column, from 0.
  /// - Throws: ``DatabaseError`` if it is not text, or text that ``Parameter`` does not allow.
  package func text(_ column: Int32) throws(DatabaseError) -> String {
    try self.statement.calls { () throws(DatabaseError) in
      try self.check(column, SQLITE_TEXT)
      // In this order: the first call may convert the text to UTF-8, which changes the count.
      let start = bound.sqlite3_column_text(self.statement.handle, column).map {
        UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self)
      }
      let count = Int(bound.sqlite3_column_bytes(self.statement.handle, column))
      // If the text contains U+0000, the string ends there, and its count differs.
      guard let start, let text = String(validatingCString: start), text.utf8.count == count else {
        throw DatabaseError(.corrupt, "\(self.name(column)) is not UTF-8 without U+0000")
      }
      return text
    }
  }

  /// The integer in a column. Throws ``DatabaseError`` if it is not an integer.
  package func integer(_ column: Int32) throws(DatabaseError) -> Int {
    try self.statement.calls { () throws(DatabaseError) in
      try self.check(column, SQLITE_INTEGER)
      return Int(clamping: bound.sqlite3_column_int64(self.statement.handle, column))
    }
  }

  /// The double in a column. Throws ``DatabaseError`` if the column contains another type, such as
  /// an integer, or if the number is not finite.
  package func real(_ column: Int32) throws(DatabaseError) -> Double {
    try self.statement.calls { () throws(DatabaseError) in
      try self.check(column, SQLITE_FLOAT)
      let real = bound.sqlite3_column_double(self.statement.handle, column)
      guard real.isFinite else {
        throw DatabaseError(.corrupt, "\(self.name(column)) is \(real), not a finite number")
      }
      return real
    }
  }

  private func check(_ column: Int32, _ expected: Int32) throws(DatabaseError) {
    let type = bound.sqlite3_column_type(self.statement.handle, column)
    guard type == expected else {
      throw DatabaseError(
        .corrupt, "\(self.name(column)) is \(typeName(type)), not \(typeName(expected))")
    }
  }

  private func name(_ column: Int32) -> String {
    bound.sqlite3_column_name(self.statement.handle, column).map { String(cString: $0) }
      ?? "a column"
  }
}

private func typeName(_ type: Int32) -> String {
  switch type {
  case SQLITE_INTEGER: "an integer"
  case SQLITE_FLOAT: "a number"
  case SQLITE_TEXT: "text"
  case SQLITE_BLOB: "a blob"
  default: "NULL"
  }
}
