import ImmutableJSON
import StateLog
import Threading

/// The drivers that the program has registered, by their schemes.
package enum LogDrivers {
  private static let drivers = Mutex<[String: any LogDriver]>([:])

  /// Registers a driver for the logs that are opened from now on.
  package static func register(_ driver: any LogDriver, for scheme: String) {
    let old = self.drivers.withLock { $0.updateValue(driver, forKey: scheme) }
    withExtendedLifetime(old) {}
  }

  /// - Parameters:
  ///   - parameter: What has the address.
  ///   - remedy: What else the caller can do than register a driver.
  static func driver(
    for address: LogAddress, in parameter: String = "options/log",
    remedy: String = ", or write \"./\" before the path of a file"
  ) throws(EngineError) -> any LogDriver {
    guard let driver = self.drivers.withLock({ $0[address.scheme] }) else {
      throw EngineError(
        .invalidArgument,
        "\(parameter): no driver is registered for the scheme \(quoted(address.scheme)) of "
          + "\(quoted(address.name)); register one first\(remedy)")
    }
    return driver
  }
}
