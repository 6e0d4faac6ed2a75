import ImmutableJSON
import Testing

@Suite struct PointerEditTests {
  enum Edit {
    case set, insert, remove
  }

  private func apply(_ edit: Edit, _ pointer: String, to value: Value) throws -> Value {
    let pointer = try JSONPointer(pointer)
    return switch edit {
    case .set: try value.setting(pointer, "new")
    case .insert: try value.inserting(pointer, "new")
    case .remove: try value.removing(pointer)
    }
  }

  @Test(arguments: [
    (Edit.set, "", "1", #""new""#),
    (.set, "/a", "{}", #"{"a":"new"}"#),
    (.set, "/a", #"{"a":1,"b":2}"#, #"{"a":"new","b":2}"#),
    (.set, "/", "{}", #"{"":"new"}"#),
    (.set, "/0", "{}", #"{"0":"new"}"#),
    (.set, "/-", "{}", #"{"-":"new"}"#),
    (.set, "/0", "[1,2]", #"["new",2]"#),
    (.set, "/2", "[1,2]", #"[1,2,"new"]"#),
    (.set, "/-", "[1,2]", #"[1,2,"new"]"#),
    (.set, "/-", "[]", #"["new"]"#),
    (.set, "/a/1/b", #"{"a":[1,{"b":2,"c":3}]}"#, #"{"a":[1,{"b":"new","c":3}]}"#),
    (.insert, "", "[1]", #""new""#),
    (.insert, "/a", #"{"a":1,"b":2}"#, #"{"a":"new","b":2}"#),
    (.insert, "/0", "[1,2]", #"["new",1,2]"#),
    (.insert, "/1", "[1,2]", #"[1,"new",2]"#),
    (.insert, "/2", "[1,2]", #"[1,2,"new"]"#),
    (.insert, "/-", "[1,2]", #"[1,2,"new"]"#),
    (.insert, "/a/0/0", #"{"a":[[]]}"#, #"{"a":[["new"]]}"#),
    (.remove, "/a", #"{"a":1,"b":2}"#, #"{"b":2}"#),
    (.remove, "/a", #"{"a":null}"#, "{}"),
    (.remove, "/1", "[1,2,3]", "[1,3]"),
    (.remove, "/a/1/b", #"{"a":[1,{"b":2,"c":3}]}"#, #"{"a":[1,{"c":3}]}"#),
  ])
  func changes(_ edit: Edit, _ pointer: String, _ before: String, _ after: String) throws {
    let value = try Value(json: before)
    let copy = try Value(json: before)
    #expect(try self.apply(edit, pointer, to: value).json == after)
    #expect(value == copy)
  }

  @Test(arguments: [
    (
      Edit.set, "/a/b", JSONPointerError.Code.notFound,
      #"nothing at "/a/b": there is no member "a""#
    ),
    (.set, "/xs/3", .notFound, #"nothing at "/xs/3": "/xs" has 2 elements"#),
    (.set, "/xs/-/a", .notFound, #"nothing at "/xs/-/a": "/xs" has 2 elements"#),
    (.set, "/xs/a", .invalid, #"nothing at "/xs/a": "/xs" is an array, and "a" is not an index"#),
    (.set, "/n/a", .invalid, #"nothing at "/n/a": "/n" is an integer"#),
    (.set, "/n/a/b", .invalid, #"nothing at "/n/a/b": "/n" is an integer"#),
    (.insert, "/xs/3", .notFound, #"nothing at "/xs/3": "/xs" has 2 elements"#),
    (
      .insert, "/xs/99999999999999999999", .notFound,
      #"nothing at "/xs/99999999999999999999": "/xs" has 2 elements"#
    ),
    (
      .insert, "/xs/01", .invalid,
      #"nothing at "/xs/01": "/xs" is an array, and "01" is not an index"#
    ),
    (.remove, "", .invalid, "the whole value cannot be removed"),
    (.remove, "/a", .notFound, #"nothing at "/a": there is no member "a""#),
    (.remove, "/xs/2", .notFound, #"nothing at "/xs/2": "/xs" has 2 elements"#),
    (.remove, "/xs/-", .notFound, #"nothing at "/xs/-": "/xs" has 2 elements"#),
  ])
  func isRejected(
    _ edit: Edit, _ pointer: String, _ code: JSONPointerError.Code, _ message: String
  ) throws {
    let value = try Value(json: #"{"n":1,"xs":[1,2]}"#)
    let error = #expect(throws: JSONPointerError.self) {
      try self.apply(edit, pointer, to: value)
    }
    #expect(error?.code == code)
    #expect(error?.message == message)
  }

  @Test func valuesOutsideThePathAreShared() throws {
    let before = try Value(json: #"{"left":{"a":1},"right":{"b":[1,2],"c":[3]}}"#)
    let after = try before.setting(JSONPointer("/right/b/0"), 9)
    #expect(after.json == #"{"left":{"a":1},"right":{"b":[9,2],"c":[3]}}"#)
    #expect(isIdentical(before["left"], after["left"]))
    #expect(isIdentical(before["right"]?["c"], after["right"]?["c"]))
    #expect(!isIdentical(before["right"], after["right"]))
  }
}

/// Whether both are the same instance of an object or array.
func isIdentical(_ left: Value?, _ right: Value?) -> Bool {
  switch (left, right) {
  case (.object(let left), .object(let right)): left.isIdentical(to: right)
  case (.array(let left), .array(let right)): left.isIdentical(to: right)
  default: false
  }
}
