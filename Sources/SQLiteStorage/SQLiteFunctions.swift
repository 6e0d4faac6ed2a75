import CSQLiteFunctions

/// The functions of SQLite. Calls by name could reach functions of the program.
var bound: sqlite_functions {
  sqlite_functions().pointee
}
