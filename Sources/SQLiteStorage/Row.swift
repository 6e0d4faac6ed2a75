import CSQLite

/// The row that a statement has come to, until its next step.
package struct Row {
  /// Keeps the handle valid. Of a column that is not there, SQLite says that it is NULL.
  let statement: Statement
}

extension Row {
  /// The text in a column.
  ///
  /// - Parameter column: Counts from 0.
  /// - Throws: If there is none, or one that could not have been put there.
  package func text(_ column: Int32) throws(DatabaseError) -> String {
    try self.statement.calls { () throws(DatabaseError) in
      try self.check(column, SQLITE_TEXT)
      // The type is text, so there are as many bytes as SQLite says.
      let start = sqlite3_column_text(self.statement.handle, column)
      let count = Int(sqlite3_column_bytes(self.statement.handle, column))
      let bytes = UnsafeBufferPointer(start: start, count: start == nil ? 0 : count)
      guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else {
        throw DatabaseError(.corrupt, "\(self.name(column)) is not UTF-8 without U+0000")
      }
      return text
    }
  }

  /// The integer in a column.
  package func integer(_ column: Int32) throws(DatabaseError) -> Int {
    try self.statement.calls { () throws(DatabaseError) in
      try self.check(column, SQLITE_INTEGER)
      return Int(clamping: sqlite3_column_int64(self.statement.handle, column))
    }
  }

  private func check(_ column: Int32, _ wanted: Int32) throws(DatabaseError) {
    let type = sqlite3_column_type(self.statement.handle, column)
    guard type == wanted else {
      throw DatabaseError(
        .corrupt, "\(self.name(column)) is \(typeName(type)), not \(typeName(wanted))")
    }
  }

  private func name(_ column: Int32) -> String {
    sqlite3_column_name(self.statement.handle, column).map { String(cString: $0) } ?? "a column"
  }
}

private func typeName(_ type: Int32) -> String {
  switch type {
  case SQLITE_INTEGER: "an integer"
  case SQLITE_FLOAT: "a number"
  case SQLITE_TEXT: "a text"
  case SQLITE_BLOB: "a blob"
  default: "NULL"
  }
}
