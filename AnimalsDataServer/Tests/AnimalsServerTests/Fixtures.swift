import AnimalsServer
import Hummingbird
import HummingbirdTesting
import Logging

/// A store in memory, as a new server has it.
func makeStore() throws -> ServedStore {
  try ServedStore(path: nil, logger: Logger(label: "test"))
}

/// Runs what asks a server of a new store.
func withServer(
  bodyLimit: Int = 1 << 20, _ body: @Sendable (any TestClientProtocol) async throws -> Void
) async throws {
  var server = AnimalsServer()
  server.bodyLimit = bodyLimit
  try await server.application(try makeStore(), logger: Logger(label: "test")).test(.router, body)
}

extension TestClientProtocol {
  /// Sends a request, and gives the number of the status and the body.
  func post(
    _ body: String, type: String? = "application/json", to uri: String = "/animals/api",
    method: HTTPRequest.Method = .post
  ) async throws -> (status: Int, body: String) {
    var headers = HTTPFields()
    headers[.contentType] = type
    let response = try await self.execute(
      uri: uri, method: method, headers: headers, body: ByteBuffer(string: body))
    return (response.status.code, String(buffer: response.body))
  }
}
