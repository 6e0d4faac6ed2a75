internal import CThreadRecord

/// Runs `body`, and writes a line to standard error if it traps. Used in debug builds: a trap ends
/// the process, and otherwise names only a place in the code.
package func withTrapLine<Result>(
  _ line: @autoclosure () -> String, _ body: () throws -> Result
) rethrows -> Result {
  thread_record_watch_traps()
  return try (line() + "\n").withCString { text in
    let record = thread_record_current()
    let outer = record.pointee.trap_line
    record.pointee.trap_line = text
    defer { record.pointee.trap_line = outer }
    return try body()
  }
}
