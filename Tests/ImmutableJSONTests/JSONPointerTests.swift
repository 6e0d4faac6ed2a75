import ImmutableJSON
import Testing

@Suite struct JSONPointerTests {
  @Test(arguments: [
    ([], ""), (["a", "0"], "/a/0"), (["a/b", "m~n", ""], "/a~1b/m~0n/"), (["~1"], "/~01"),
    (["", ""], "//"), (["é", "e\u{301}", "\u{301}"], "/é/e\u{301}/\u{301}"),
  ])
  func roundTrips(_ tokens: [String], _ text: String) throws {
    #expect(JSONPointer(tokens).description == text)
    let pointer = try JSONPointer(text)
    #expect(pointer.tokens.count == tokens.count)
    #expect(zip(pointer.tokens, tokens).allSatisfy { $0.utf8.elementsEqual($1.utf8) })
  }

  @Test(arguments: [
    ("a", #""a" is not a JSON Pointer: it must be empty or begin with "/"; write "/a""#),
    ("é/0", #""é/0" is not a JSON Pointer: it must be empty or begin with "/"; write "/é/0""#),
    ("#/a", ##""#/a" is not a JSON Pointer: it must be empty or begin with "/"; write "/a""##),
    ("a.b", #""a.b" is not a JSON Pointer: it must be empty or begin with "/""#),
    ("a[0]", #""a[0]" is not a JSON Pointer: it must be empty or begin with "/""#),
    ("$", #""$" is not a JSON Pointer: it must be empty or begin with "/""#),
    ("a~2", #""a~2" is not a JSON Pointer: it must be empty or begin with "/""#),
    ("/a~2", #""/a~2" is not a JSON Pointer: the "~" at offset 2 must be followed by 0 or 1"#),
    ("/é~/b", #""/é~/b" is not a JSON Pointer: the "~" at offset 3 must be followed by 0 or 1"#),
    ("/~0~", #""/~0~" is not a JSON Pointer: the "~" at offset 3 must be followed by 0 or 1"#),
    ("/~~0", #""/~~0" is not a JSON Pointer: the "~" at offset 1 must be followed by 0 or 1"#),
  ])
  func isRejected(_ text: String, _ message: String) {
    let error = #expect(throws: JSONPointerError.self) { try JSONPointer(text) }
    #expect(error?.code == .invalid)
    #expect(error?.message == message)
  }

  @Test func longTextIsTruncatedInMessages() {
    let text = String(repeating: "a", count: 100)
    let error = #expect(throws: JSONPointerError.self) { try JSONPointer(text) }
    let shown = String(repeating: "a", count: 48) + "…"
    #expect(
      error?.description
        == #""\#(shown)" is not a JSON Pointer: it must be empty or begin with "/""#)
  }

  /// Control characters, and those that change the direction of the text, are escaped; wide text is
  /// truncated by its bytes, at a character.
  @Test(arguments: [
    ("a\u{1}\u{7F}\u{85}\"\\", #""a\u0001\u007f\u0085\"\\""#),
    ("\u{200F}\u{202E}\u{2066}\u{61C}", #""\u200f\u202e\u2066\u061c""#),
    ("👩\u{200D}👩. é\u{301}", "\"👩\u{200D}👩. é\u{301}\""),
    (String(repeating: "高", count: 16), "\"\(String(repeating: "高", count: 16))\""),
    (String(repeating: "高", count: 17), "\"\(String(repeating: "高", count: 16))…\""),
    (String(repeating: "\u{1}", count: 9), "\"\(String(repeating: #"\u0001"#, count: 8))…\""),
  ])
  func textInMessages(_ text: String, _ shown: String) {
    let error = #expect(throws: JSONPointerError.self) { try JSONPointer(text) }
    #expect(
      error?.description == "\(shown) is not a JSON Pointer: it must be empty or begin with \"/\"")
  }
}
