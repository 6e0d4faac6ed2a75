import StateEngine
import Testing

@Suite struct ServerSentEventParserTests {
  private static func events(of parts: [[UInt8]]) -> [String] {
    var parser = ServerSentEventParser()
    return parts.flatMap { parser.read($0) }.map { "\($0.id)|\($0.name)|\($0.data)" }
  }

  @Test(arguments: [
    ("data: a\n\n", ["|message|a"]),
    ("data:a\n\n", ["|message|a"]),
    ("data:  a\n\n", ["|message| a"]),
    ("data: a\ndata: b\n\n", ["|message|a\nb"]),
    ("data\n\n", ["|message|"]),
    ("event: x\ndata: a\n\ndata: b\n\n", ["|x|a", "|message|b"]),
    ("id: 7\ndata: a\n\ndata: b\n\nid\ndata: c\n\n", ["7|message|a", "7|message|b", "|message|c"]),
    ("id: 7\n\ndata: a\n\n", ["7|message|a"]),
    ("id: 7\nid: 8\0\ndata: a\n\n", ["7|message|a"]),
    ("data: a\r\n\r\ndata: b\r\rdata: c\n\n", ["|message|a", "|message|b", "|message|c"]),
    (": still here\n\n: x\ndata: a\n\n", ["|message|a"]),
    ("\u{feff}data: a\n\n\u{feff}data: b\n\n", ["|message|a"]),
    ("retry: 10\nother: x\ndata: a: b\n\n", ["|message|a: b"]),
    ("event: x\n\ndata: a\n\n", ["|message|a"]),
    ("data: a\n", []), ("data: é\n\n", ["|message|é"]), ("", []),
  ])
  func events(_ text: String, _ expected: [String]) {
    let bytes = Array(text.utf8)
    #expect(Self.events(of: [bytes]) == expected)
    #expect(Self.events(of: bytes.map { [$0] }) == expected)
    for end in bytes.indices {
      #expect(Self.events(of: [Array(bytes[..<end]), Array(bytes[end...])]) == expected)
    }
  }

  @Test func anEventIsBounded() {
    var parser = ServerSentEventParser()
    let part = [UInt8](repeating: UInt8(ascii: "a"), count: 1 << 20)
    for _ in 0..<64 { _ = parser.read(part) }
    #expect(!parser.hasOverflowed)
    #expect(parser.read(part).isEmpty)
    #expect(parser.hasOverflowed)
    #expect(parser.read(Array("\n\ndata: a\n\n".utf8)).isEmpty)
  }
}
