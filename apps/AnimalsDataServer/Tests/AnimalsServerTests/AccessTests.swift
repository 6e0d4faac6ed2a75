import AnimalsServer
import Hummingbird
import HummingbirdTesting
import Testing

@Suite struct AccessTests {
  @Test(arguments: [
    "x", "0123456789abcdef", "a.b-c_d~e+f/g==", "!\"#$%&'()*,:;<>?@[]^`{|}",
    String(repeating: "x", count: AccessToken.maximumLength),
  ])
  func aTokenAllowsOnlyItself(text: String) throws {
    let token = try #require(AccessToken(text))
    for header in ["Bearer \(text)", "bearer \(text)", "BEARER   \(text)"] {
      #expect(token.allows(header))
    }
    for header in [
      "", text, "Bearer", "Bearer ", "Bearer\(text)", "Basic \(text)", "Bearer \(text)x",
      "Bearer \(text) ", "Bearer \(text.dropLast())", "Bearer x\(text)", "Bearer \(text), x",
      "Bearer \(text)\0",
    ] {
      #expect(!token.allows(header), "\(header)")
    }
    #expect(!token.allows(nil))
  }

  @Test func everyByteIsCompared() throws {
    let text = "0123456789abcdef"
    let token = try #require(AccessToken(text))
    for index in text.indices {
      var other = text
      other.replaceSubrange(index...index, with: "x")
      #expect(!token.allows("Bearer \(other)"))
    }
  }

  @Test(arguments: [
    "", " ", "a b", "a\n", "\u{7F}", "é", "\0", String(repeating: "x", count: 4_097),
  ])
  func invalidTokens(text: String) {
    #expect(AccessToken(text) == nil)
  }

  @Test func aTokenIsNeverShown() throws {
    let token = try #require(AccessToken("hidden"))
    var dumped = ""
    dump(token, to: &dumped)
    var server = AnimalsServer()
    server.token = token
    dump(server, to: &dumped)
    for text in ["\(token)", String(reflecting: token), "\(server)", dumped] {
      #expect(!text.contains("hidden"))
      #expect(text.contains("(secret)"))
    }
  }

  @Test(arguments: [
    ("127.0.0.1", true), ("127.255.0.9", true), ("localhost", true), ("LocalHost", true),
    ("::1", true), ("0:0:0:0:0:0:0:1", true),
    ("0.0.0.0", false), ("::", false), ("128.0.0.1", false), ("192.168.0.1", false),
    ("10.127.0.1", false), ("::2", false), ("1::1", false), ("fe80::1", false), ("", false),
    ("localhost.example.com", false), ("127.0.0.1.example.com", false), ("example.com", false),
  ])
  func loopback(host: String, isLoopback: Bool) {
    #expect(AnimalsServer.isLoopback(host) == isLoopback)
  }

  @Test(arguments: [nil, "Bearer", "Bearer x", "Basic c2VjcmV0OnNlY3JldA=="])
  func withoutTheTokenEveryResponseIsTheSame(authorization: String?) async throws {
    try await withServer(token: AccessToken("secret")) { client in
      var headers: HTTPFields = [.contentType: "application/json"]
      headers[.authorization] = authorization
      for (path, method) in [
        ("/animals/api", HTTPRequest.Method.post), ("/animals/api", .get), ("/", .get),
        ("/animals/changes", .get),
      ] {
        try await client.execute(uri: path, method: method, headers: headers) { response in
          #expect(response.status == .unauthorized)
          #expect(response.headers[.wwwAuthenticate] == "Bearer")
          #expect(
            String(buffer: response.body)
              == #"{"error":{"code":"unauthorized","message":"the server requires its token, "#
              + #"as the header \"Authorization: Bearer TOKEN\""}}"#)
        }
      }
    }
  }

  @Test func withTheTokenRequestsAreServed() async throws {
    try await withServer(token: AccessToken("secret")) { client in
      try await client.execute(
        uri: "/animals/api", method: .post,
        headers: [.contentType: "application/json", .authorization: "Bearer secret"],
        body: ByteBuffer(string: "{}")
      ) { response in
        #expect(response.status == .ok)
      }
    }
  }
}
