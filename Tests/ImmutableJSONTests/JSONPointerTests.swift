import ImmutableJSON
import Testing

@Suite struct JSONPointerTests {
  @Test(arguments: [
    ([], ""), (["a", "0"], "/a/0"), (["a/b", "m~n", ""], "/a~1b/m~0n/"),
  ])
  func isWritten(_ tokens: [String], _ text: String) {
    #expect(JSONPointer(tokens).description == text)
  }
}
