import AnimalsServer
import Hummingbird
import HummingbirdTesting
import Logging
import Testing
import Glibc

/// A new store, in memory or in a file.
func makeStore(path: String? = nil) throws -> ServedStore {
  try ServedStore(path: path, logger: Logger(label: "test"))
}

/// A path for a database, whose files are deleted with this object.
final class TemporaryDatabase: Sendable {
  private let folder: String

  var path: String { "\(self.folder)/animals.sqlite" }

  init() throws {
    var template = Array("/tmp/animals-XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    self.folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit {
    for end in ["", "-wal", "-shm"] {
      unlink(self.path + end)
    }
    rmdir(self.folder)
  }
}

/// Runs `body` with a client of a server with a new store.
func withServer(
  bodyLimit: Int = 1 << 20, token: AccessToken? = nil,
  _ body: @Sendable (any TestClientProtocol) async throws -> Void
) async throws {
  var server = AnimalsServer()
  server.limits.body = bodyLimit
  server.token = token
  try await server.application(try makeStore(), logger: Logger(label: "test")).test(.router, body)
}

extension TestClientProtocol {
  /// Sends a request, and returns the status code and the body.
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
