import ImmutableJSON
import StateEngine
import Testing

@testable import ProductSupport

@Suite struct RemoteServerTests {
  private func server(_ address: String) throws(EngineError) -> RemoteServer {
    try RemoteServer(
      address: address, kind: "a server", fetcher: Fetcher { _ in }, timeout: 1_000)
  }

  private func check(_ address: String, fails reason: String) {
    #expect(throws: EngineError(.invalidArgument, "address: \(reason)")) {
      try self.server(address)
    }
  }

  @Test(arguments: [
    "http://host", "https://host/a/b", "http://host:1", "http://host:65535/a:b", "http://host:",
    "http://127.0.0.1:8080", "http://[::1]", "http://[::1]:8080/a", "http://host:00080",
    "http://[::]:", "http://[::ffff:127.0.0.1]", "http://[fe80::1%25eth0]:80", "http://a.b.",
    "http://0.0.0.0", "http://255.255.255.255:1", "http://127.0.0.1.", "http://1.2.3.4.example",
    "http://1.a2", "http://256.256.256.256.a", "http://0x1.g", "http://a.0xg", "http://1.2.3.4e",
    "http://[fe80::1%eth0]", "http://a_b", "http://%c3%A9.example", "http://a/b@c",
    "http://a/b%20c/~d;e=(f)", "http://a//b",
    "http://" + String(repeating: "a", count: 63) + ".b",
    "http://" + String(repeating: "a.", count: 126) + "b",
  ])
  func validAddresses(_ address: String) throws {
    #expect(try self.server(address).address == address)
  }

  @Test func aSlashAtTheEndIsRemoved() throws {
    #expect(try self.server("http://host:80/a/").address == "http://host:80/a")
  }

  /// Schemes ignore case (RFC 3986, section 3.1).
  @Test func theSchemeIsWrittenInLowerCase() throws {
    #expect(try self.server("HTTP://Host/A").address == "http://Host/A")
    #expect(try self.server("hTTps://X").address == "https://X")
  }

  @Test(arguments: [
    "", "host", "http", "http:a", "http:/a", "//a", "ftp://host", "http://", "http:///a",
    "http://:80", "http://host:port", "http://host:8a/b", "http://host:-1", "http://a:b:80",
    "http://::1", "http://host:８０", "http://a b", "http://é", " http://a", "http://[::1]:a",
    "http://a[::1]",
  ])
  func invalidAddresses(_ address: String) {
    self.check(
      address,
      fails: "\"\(address)\" is not a valid URL; expected, for example, http://127.0.0.1:8080")
  }

  @Test(arguments: [
    "http://[::1", "http://[]", "http://[]:80", "http://[::g]", "http://[::1]x", "http://[:::]",
    "http://[1:2:3:4:5:6:7:8:9]", "http://[127.0.0.1]", "http://[v1.a]", "http://[::1%]",
    "http://[fe80::1%a%b]", "http://a]", "http://a%zz", "http://a%4", "http://a%",
    "http://a|b", "http://a<b", "http://a^b", "http://a{b}", "http://.", "http://a..b", "http://.a",
  ])
  func invalidHosts(_ address: String) {
    self.check(
      address,
      fails: "the host of \"\(address)\" is not valid; expected, for example, "
        + "http://127.0.0.1:8080")
  }

  @Test(arguments: [
    "http://a/%zz", "http://a/b%4", "http://a/%", "http://a/b|c", "http://a/{b}", "http://a/b^",
    "http://a:80/<b>", "http://a/[b]", "http://a/b`c",
  ])
  func invalidPaths(_ address: String) {
    self.check(
      address,
      fails: "the path of \"\(address)\" is not valid; write special characters as % and two "
        + "hexadecimal digits, for example a space as %20")
  }

  /// No domain ends in a number.
  @Test(arguments: [
    "http://256.256.256.256", "http://1.2.3", "http://1.2.3:80/a", "http://127.1", "http://1",
    "http://2130706433", "http://1.2.3.4.5", "http://127.0.0.256", "http://127.0.0.01",
    "http://1.2.3.", "http://a.1", "http://a.b.123.", "http://host.0x1F", "http://0x7f000001",
    "http://127.0.0.0x1", "http://a.0x", "HTTP://A.0X1",
  ])
  func hostsThatEndInANumber(_ address: String) {
    self.check(
      address,
      fails: "the host of \"\(address)\" ends in a number, but is not an IPv4 address; write four "
        + "numbers from 0 to 255, such as 127.0.0.1")
  }

  @Test func aHostWithAQuotationMark() {
    self.check(
      "http://a\"b",
      fails: #"the host of "http://a\"b" is not valid; expected, for example, "#
        + "http://127.0.0.1:8080")
  }

  @Test func longHosts() {
    let start = String(repeating: "a", count: 41)
    for count in [254, 1_000_000] {
      self.check(
        "http://" + String(repeating: "a", count: count),
        fails: "the host of \"http://\(start)…\" is longer than 253 bytes")
    }
    self.check(
      "http://" + String(repeating: "a", count: 64) + ".b",
      fails: "the host of \"http://\(start)…\" is not valid; expected, for example, "
        + "http://127.0.0.1:8080")
  }

  @Test(arguments: [
    ("http://user:word@host:80/a", "…@host:80/a"), ("https://user@host", "…@host"),
    ("http://@host", "…@host"), ("HTTP://a:b:c@d@host", "…@host"), ("http://a@", "…@"),
    ("http://a:b@host?key=c", "…@host?…"),
  ])
  func userInfo(_ address: String, _ shown: String) {
    self.check(
      address,
      fails: "\"\(shown)\" has a user name or password, which requests would not send; remove it")
  }

  /// A message does not show what may be a password, even if the address is invalid otherwise.
  @Test(arguments: [
    "ftp://user:word@host", "user:word@host", "http://user:word /@host", "http://user:wo/rd@host",
    "http://[user:word]/@host",
  ])
  func passwordsAreNotShown(_ address: String) {
    #expect {
      try self.server(address)
    } throws: { error in
      let message = "\(error)"
      return message.contains("…@host") && !message.contains("user")
    }
  }

  /// An `@` after a mark can end a password or be a part of a query.
  @Test(arguments: [
    ("http://user:w?rd@host", "query"), ("http://user:1#d@host", "fragment"),
    ("http://host?id=a@b&key=c", "query"), ("http://host#a@b", "fragment"),
  ])
  func ambiguousAddressesAreNotShown(_ address: String, _ part: String) {
    self.check(
      address, fails: "\"…\" has a \(part), but paths are appended to the address; remove it")
  }

  @Test func queriesAndFragments() {
    let reason = "but paths are appended to the address; remove it"
    for address in ["http://a/b?x=1", "http://a/b?", "http://a/b?#x"] {
      self.check(address, fails: "\"http://a/b?…\" has a query, \(reason)")
    }
    for address in ["http://a:80#x", "http://a:80#", "http://a:80#?"] {
      self.check(address, fails: "\"http://a:80#…\" has a fragment, \(reason)")
    }
  }

  @Test(arguments: ["0", "65536", "99999", "99999999999999999999"])
  func portsOutOfRange(_ port: String) {
    for address in ["http://host:\(port)", "https://[::1]:\(port)/a"] {
      self.check(address, fails: "the port of \"\(address)\" is not between 1 and 65535")
    }
  }

  /// The reason follows in full.
  @Test func messagesShortenALongAddress() throws {
    let server = try self.server("http://h/" + String(repeating: "p", count: 3_000))
    #expect(
      server.error(.noResponse(.rejected("connection refused"))).description
        == "no response from http://h/\(String(repeating: "p", count: 91))…: connection refused")
  }

  /// A reason may be as long as a message in a state.
  @Test func longReasonsAreTruncated() throws {
    let reason = String(repeating: "é", count: 1_000)
    for (sent, shown) in [(reason, reason), (reason + "é", reason + "…")] {
      #expect(
        try self.server("http://host").error(.noResponse(.rejected(sent))).description
          == "no response from http://host: \(shown)")
    }
  }
}
