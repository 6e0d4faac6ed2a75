import ImmutableJSON
import StateEngine
import Testing

@testable import ProductSupport

@Suite struct RemoteServerTests {
  private func server(_ address: String) throws(EngineError) -> RemoteServer {
    try RemoteServer(
      address: address, kind: "a server", fetcher: Fetcher { _ in }, milliseconds: 1_000)
  }

  @Test(arguments: [
    "http://host", "https://host/a/b", "http://host:1", "http://host:65535/a:b", "http://host:",
    "http://127.0.0.1:8080", "http://[::1]", "http://[::1]:8080/a", "http://user:word@host:80",
    "http://host:00080",
  ])
  func validAddresses(_ address: String) throws {
    #expect(try self.server(address).address == address)
  }

  @Test func aSlashAtTheEndIsRemoved() throws {
    #expect(try self.server("http://host:80/a/").address == "http://host:80/a")
  }

  @Test(arguments: [
    "", "host", "ftp://host", "http://", "http:///a", "http://:80", "http://a@", "http://a@:80",
    "http://host:port", "http://host:8a/b", "http://host:-1", "http://a:b:80", "http://[::1",
    "http://host:８０", "http://a b", "http://a?b", "http://a#b",
  ])
  func invalidAddresses(_ address: String) {
    let message =
      "address: \"\(address)\" is not a valid URL; expected, for example, http://127.0.0.1:8080"
    #expect(throws: EngineError(.invalidArgument, message)) { try self.server(address) }
  }

  @Test(arguments: ["0", "65536", "99999", "99999999999999999999"])
  func portsOutOfRange(_ port: String) {
    for address in ["http://host:\(port)", "https://[::1]:\(port)/a"] {
      let message = "address: the port of \"\(address)\" is not between 1 and 65535"
      #expect(throws: EngineError(.invalidArgument, message)) { try self.server(address) }
    }
  }
}
