import Testing

@testable import ImmutableJSON

@Suite struct FastPathTests {
  @Test(arguments: [
    "", "/", "/a", "/a/0", "/a/1", "/a/2", "/a/-", "/a/00", "/a/01", "/a/1234567890", "/a/x",
    "/b~1c",
    "/~", "x", "/a/0/", "/é", "/a//", "//",
  ])
  func agreesWithThePlainFunctions(_ pointer: String) throws {
    let value = try Value(json: #"{"a":[1,{"":2}],"b/c":3,"é":4,"":{"":5}}"#)
    let quick = Array(pointer.utf8).withUnsafeBytes { value.fastPathGet($0) }
    let slow = try? value.get(JSONPointer(pointer))
    if pointer.contains("~") {
      #expect(quick == nil)
    } else {
      #expect(quick == slow)
    }
    let set = Array(pointer.utf8).withUnsafeBytes { value.fastPathSetting($0, 9) }
    #expect(set == nil || set == (try? value.setting(JSONPointer(pointer), 9)))
    #expect(set != nil || slow == nil || pointer.isEmpty || pointer.contains("~"))
  }
}
