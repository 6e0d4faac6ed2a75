import ImmutableJSON
import JMESPath
import Testing

/// The members of an expression that nothing in a document has.
@Suite struct MistakeTests {
  private static var document: Value {
    [
      "todos": [["title": "a", "lane": "todo", "tags": ["x"]], ["title": "b", "lane": "done"]],
      "byId": ["1": ["title": "a"]], "empty": [], "none": .null, "n": 1,
    ]
  }

  @Test(arguments: [
    (
      "todos[?lane == \"todo\"]",
      "none of 2 objects has a member \"todo\"; it is the name of a member, because it stands in "
        + "double quotes: write 'todo' for the text"
    ),
    (
      "todos[?title == true]",
      "none of 2 objects has a member \"true\"; it is the name of a member: write `true` for the "
        + "value"
    ),
    ("todo", "the state has no member \"todo\"; did you mean \"todos\"?"),
    ("todos[0].titel", "the object has no member \"titel\"; did you mean \"title\"?"),
    ("todos.title", "an array has no member \"title\"; write [].title for that of its elements"),
    ("max_by(todos, &x)", "none of 2 objects has a member \"x\""),
    ("[x, x]", "the state has no member \"x\""),
    (
      "todos[?title > 'a']",
      "> compares only numbers, and 'a' is text, so the result is null; for text, write "
        + "max([a, b]) == a, which means a >= b"
    ),
    (
      "todos[?'a' <= done || lane]",
      "<= compares only numbers, and 'a' is text, so the result is null; for text, write "
        + "min([a, b]) == a, which means a <= b"
    ),
    (
      "todos[?title < lane]",
      "< compares only numbers, and an operand is text such as 'a', so the result is null; for "
        + "text, write min([a, b]) == a, which means a <= b"
    ),
  ])
  func aMemberThatNothingHas(expression: String, mistake: String) throws {
    #expect(try Expression(expression).mistakes(in: Self.document) == [mistake])
  }

  @Test(arguments: [
    "todos[].tags[]", "todos[?lane == 'todo'].title | [0]", "todos[?!done]", "x || n",
    "todos[?done == `null`]", "empty[].x", "none.x", "n.x", "byId.*.title", "not_null(x, n)",
    "todos[?max([title, 'b']) == title]", "n > $n", "todos[?title == 'a']",
    "map(&title, todos)", "get(byId, $id).title", "let $t = todos in $t[].title", "todos[:1].title",
  ])
  func noMistake(expression: String) throws {
    #expect(try Expression(expression).mistakes(in: Self.document).isEmpty)
  }
}
