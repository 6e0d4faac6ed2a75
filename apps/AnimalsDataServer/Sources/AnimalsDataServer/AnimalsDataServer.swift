import AnimalsServer
import ArgumentParser
import Glibc

@main
struct Command: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "AnimalsDataServer",
      abstract: "Serves animals and their categories from a database.",
      discussion: """
        POST /animals/api takes queries and mutations as JSON; GET /animals/changes sends all \
        changes as server-sent events. When it is ready, the server prints a line with its \
        address. SIGTERM and SIGINT stop it after it has answered the requests in progress.
        """,
      version: "0.1.0")
  }

  @Option(help: "The address to listen on.")
  var host = "127.0.0.1"

  @Option(help: "The port to listen on; 0 for a free one.")
  var port: UInt16 = 8080

  @Option(
    help: ArgumentHelp("The file of the database; without it, one in memory.", valueName: "path"))
  var database: String?

  @OptionGroup(title: "Access")
  var access: AccessOptions

  @OptionGroup(title: "Limits")
  var limits: LimitOptions

  func validate() throws {
    try self.access.validate(host: self.host)
  }

  func run() async throws {
    var server = AnimalsServer()
    server.host = self.host
    server.port = Int(self.port)
    server.database = self.database
    server.token = try self.access.accessToken()
    server.limits = self.limits.connectionLimits
    server.heartbeat = .seconds(self.limits.heartbeat)
    try raiseDescriptorLimit(for: self.limits.maxConnections)
    try await server.run { address in
      print("AnimalsDataServer listens on \(address)")
      fflush(nil)
    }
  }
}
