import StateEngine
import Testing

@Suite struct ActionPatternTests {
  @Test(arguments: [
    ("ui/*", "ui/a/b", true), ("ui/*", "ui/", true), ("ui/*", "ui", false), ("*", "", true),
    ("a", "a", true), ("a", "ab", false), ("", "", true), ("", "a", false),
    ("*/add", "todos/add", true), ("*/add", "todos/added", false), ("a*b*c", "abc", true),
    ("a*b*c", "axbxbxc", true), ("a*b*c", "acb", false), ("a*a", "a", false), ("**", "x", true),
    ("é*", "éa", true), ("*b*b", "b", false),
  ])
  func aStarMatchesAnyText(_ pattern: String, _ type: String, _ isMatch: Bool) {
    #expect(ActionPattern(pattern).matches(type) == isMatch)
  }
}
