import ImmutableJSON
import StateLog
import Threading

extension Log {
  /// Removes the entries of a log that a driver keeps up to its latest snapshot. A store that opens
  /// the log does not need them; other stores may have it open.
  ///
  /// - Parameter address: The address of a log whose driver is registered.
  /// - Returns: The number of the last entry that was removed; 0 if there is no snapshot yet.
  /// - Throws: ``EngineError``: `invalidArgument`; `io` if there is no such log; `reentrant` in a
  ///   callback; `unavailable`, `refused`.
  package static func trim(_ address: String) throws(EngineError) -> Int {
    guard !CallScope.isInsideCallback else {
      throw EngineError(
        .reentrant, "trimming a log waits for its server; trim it outside of callbacks")
    }
    guard let address = LogAddress(address) else {
      throw EngineError(
        .invalidArgument,
        "address: \(quoted(address)) is not the address of a log that a driver keeps, such as "
          + "\"postgresql:///app?log=plans\"; a file is compacted")
    }
    let driver = try LogDrivers.driver(for: address, in: "address", remedy: "")
    return try EngineError.catching { try DriverLog.trim(address, driver) }
  }
}
