import ImmutableJSON
import Testing

@testable import ProductSupport

@Suite struct StatusTests {
  /// Characters are code points, which keep their bytes.
  @Test(arguments: [
    ("", 3, ""), ("abc", 3, "abc"), ("abcd", 3, "abc…"), ("e\u{301}é\n", 3, "e\u{301}é…"),
    ("👩\u{200D}👩", 2, "👩\u{200D}…"), ("abc", 0, "…"),
  ])
  func textIsTruncated(_ text: String, _ count: Int, _ truncated: String) {
    #expect(text.truncated(to: count).hasSameBytes(as: truncated))
  }

  @Test func aLongMessageIsTruncated() {
    let message = String(repeating: "é", count: 1_000)
    #expect(Status(failure: message) == .failure(error: message))
    #expect(Status(failure: message + "a") == .failure(error: message + "…"))
  }
}
