import ImmutableJSON
import JMESPath
import Testing

/// Strings and keys are sequences of code points, regardless of Swift's `==`.
@Suite struct StringTests {
  private static let given =
    #"{"\u00e9": 1, "e\u0301": 2, "s": ["\u00e9", "e\u0301", "\ud834\udd1e", "\uffee", "z", ""]}"#

  @Test(arguments: [
    (#""\u00e9""#, "1"),
    ("\"e\u{301}\"", "2"),
    ("'\u{e9}' == 'e\u{301}'", "false"),
    ("`\"\\u00e9\"` == '\u{e9}'", "true"),
    ("`{\"\\u00e9\": 1}` == `{\"e\\u0301\": 1}`", "false"),
    ("contains(s, 'e\u{301}')", "true"),
    ("contains(s[0:1], 'e\u{301}')", "false"),
    ("contains('e\u{301}', 'e')", "true"),
    ("starts_with('e\u{301}', 'e')", "true"),
    ("ends_with('e\u{301}', '\u{301}')", "true"),
    ("length(s[1])", "2"),
    ("length(s[2])", "1"),
    ("length('👨‍👩‍👧')", "5"),
    ("reverse('ae\u{301}')", "\"\u{301}ea\""),
    ("sort(s)", "[\"\",\"e\u{301}\",\"z\",\"\u{e9}\",\"\u{ffee}\",\"\u{1d11e}\"]"),
    ("max(s)", "\"\u{1d11e}\""),
    ("keys(@)", "[\"e\u{301}\",\"s\",\"\u{e9}\"]"),
    ("join('', s[:2]) == '\u{e9}e\u{301}'", "true"),
    ("merge(@, `{\"e\\u0301\": 3}`).\"\u{e9}\"", "1"),
    ("{\"\u{e9}\": `1`, \"e\u{301}\": `2`}", "{\"e\u{301}\":2,\"\u{e9}\":1}"),
    ("to_string(s[2])", "\"\u{1d11e}\""),
    (#"'it\'s'"#, #""it's""#),
    (#"'a\\'"#, #""a\\\\""#),
    (#"'\\\''"#, #""\\\\'""#),
    (#"'\n'"#, #""\\n""#),
    (#"`"\`"`"#, #""`""#),
    (#"`"\\"`"#, #""\\""#),
    ("'\u{0}'", #""\u0000""#),
  ])
  func strings(_ text: String, _ expected: String) {
    check(text, expected, given: Self.given)
  }

  @Test(arguments: [
    ("", "", true), ("a", "", true), ("", "a", false), ("aab", "ab", true), ("aaab", "aab", true),
    ("abab", "abb", false), ("abcabcabd", "abcabd", true), ("aaaa", "aaaaa", false),
    ("xababab", "abab", true), ("mississippi", "issip", true), ("mississippi", "issipi", false),
  ])
  func contains(_ string: String, _ part: String, _ expected: Bool) {
    check("contains('\(string)', '\(part)')", "\(expected)")
  }
}
