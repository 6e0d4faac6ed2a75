import StateEngine
import Testing

@Suite struct FetchHeaderTests {
  @Test(arguments: [
    ("Authorization", "Authorization: …"), ("proxy-authorization", "proxy-authorization: …"),
    ("Cookie", "Cookie: …"), ("Set-Cookie", "Set-Cookie: …"), ("Accept", "Accept: secret"),
  ])
  func aDescriptionHidesCredentials(_ name: String, _ expected: String) {
    let header = FetchHeader(name, "secret")
    #expect("\(header)" == expected)
    let response = String(reflecting: FetchResponse(status: 200, headers: [header]))
    #expect(response.contains("secret") == expected.contains("secret"))
  }
}
