import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle
import Glibc

/// An animals server: a store served by HTTP.
package struct AnimalsServer: Sendable {
  package var host = "127.0.0.1"

  /// The port; 0 for a free one.
  package var port = 8080

  /// The file of the database, or `nil` for one in memory.
  package var database: String?

  package var limits = ConnectionLimits()

  /// The token that clients must send, or `nil` to serve everyone.
  package var token: AccessToken?

  /// The interval at which readers of changes get a comment, which shows that the connection works.
  package var heartbeat = Duration.seconds(10)

  package init() {}

  /// Serves until SIGTERM or SIGINT, then finishes the requests in progress.
  ///
  /// - Parameter onReady: Called with the URL of the server when it accepts connections.
  package func run(onReady: @escaping @Sendable (String) -> Void) async throws {
    let logger = Logger(label: "AnimalsDataServer", level: .warning)
    let store = try ServedStore(path: self.database, logger: logger)
    var configuration = ServiceGroupConfiguration(
      services: [self.application(store, logger: logger, onReady: onReady)],
      gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
    // Bounds the delay by a client that neither reads nor writes.
    configuration.maximumGracefulShutdownDuration = .seconds(5)
    do {
      try await ServiceGroup(configuration: configuration).run()
    } catch {
      await store.close()
      guard (error as? IOError)?.errnoCode == EADDRINUSE else { throw error }
      throw PortInUseError(host: self.host, port: self.port)
    }
    await store.close()
  }

  package func application(
    _ store: ServedStore, logger: Logger,
    onReady: @escaping @Sendable (String) -> Void = { _ in }
  ) -> some ApplicationProtocol {
    let limits = self.limits
    return Application(
      responder: AnimalsResponder(
        store: store, bodyLimit: limits.body, token: self.token, heartbeat: self.heartbeat),
      server: HTTPServerBuilder { LimitedHTTP1Channel(limits: limits, responder: $0) },
      configuration: ApplicationConfiguration(
        address: .hostname(self.host, port: self.port), serverName: "AnimalsDataServer",
        availableConnectionsDelegate: .maximum(
          limits.connections + ConnectionLimits.surplus, logger: logger)),
      services: [Heartbeat(store: store, interval: self.heartbeat)],
      onServerRunning: { channel in
        let port = channel.localAddress?.port ?? self.port
        onReady("http://\(self.host.contains(":") ? "[\(self.host)]" : self.host):\(port)")
      },
      logger: logger)
  }
}

/// Another program listens on the port.
private struct PortInUseError: Error, CustomStringConvertible {
  let host: String
  let port: Int

  var description: String {
    "port \(self.port) of \(self.host) is in use; choose another with '--port', or 0 for a free "
      + "one."
  }
}

extension Logger {
  fileprivate init(label: String, level: Logger.Level) {
    self.init(label: label)
    self.logLevel = level
  }
}
