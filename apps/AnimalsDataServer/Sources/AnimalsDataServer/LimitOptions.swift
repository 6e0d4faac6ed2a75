import AnimalsServer
import ArgumentParser

/// The options that limit what clients can use of a server.
struct LimitOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The maximum size of a request's body.", valueName: "bytes"))
  var bodyLimit = 1 << 20

  @Option(
    help: ArgumentHelp(
      """
      The maximum number of connections, streams of changes included. Others are answered with 503.
      """, valueName: "number"))
  var maxConnections = 1_000

  @Option(
    help: ArgumentHelp(
      """
      How long a connection stays open without a request, or while the client reads nothing of the \
      response. A stream of changes is not idle.
      """, valueName: "seconds"))
  var idleTimeout = 120.0

  @Option(
    help: ArgumentHelp(
      "How long a request may take to arrive, head and body. A slower one is answered with 408.",
      valueName: "seconds"))
  var requestTimeout = 30.0

  @Option(
    help: ArgumentHelp(
      "The interval of the comments that keep a stream of changes alive.", valueName: "seconds"))
  var heartbeat = 10.0

  func validate() throws {
    guard self.bodyLimit > 0 else {
      throw ValidationError("'--body-limit' must be at least 1.")
    }
    guard (1...Self.maximumConnections).contains(self.maxConnections) else {
      throw ValidationError(
        "'--max-connections' must be between 1 and \(Self.maximumConnections).")
    }
    for (name, seconds) in [
      ("idle-timeout", self.idleTimeout), ("request-timeout", self.requestTimeout),
      ("heartbeat", self.heartbeat),
    ] {
      // A range does not contain NaN.
      guard (0.01...86_400).contains(seconds) else {
        throw ValidationError("'--\(name)' must be between 0.01 and 86400 seconds.")
      }
    }
  }

  var connectionLimits: ConnectionLimits {
    var limits = ConnectionLimits()
    limits.body = self.bodyLimit
    limits.connections = self.maxConnections
    limits.idleTimeout = .seconds(self.idleTimeout)
    limits.requestTimeout = .seconds(self.requestTimeout)
    return limits
  }

  private static var maximumConnections: Int { 1_000_000 }
}
