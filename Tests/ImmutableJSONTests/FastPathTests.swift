import Testing

@testable import ImmutableJSON

@Suite struct FastPathTests {
  @Test(arguments: [
    "", "/", "/a", "/a/0", "/a/1", "/a/2", "/a/-", "/a/00", "/a/01", "/a/1234567890", "/a/x",
    "/b~1c", "/~", "x", "/a/0/", "/é", "/a//", "//",
  ])
  func findsWhatThePlainFunctionFinds(_ pointer: String) throws {
    let value = try Value(json: #"{"a":[1,{"":2}],"b/c":3,"é":4,"":{"":5}}"#)
    let fast = Array(pointer.utf8).withUnsafeBytes { value.fastPathGet($0) }
    let plain = try? value.get(JSONPointer(pointer))
    if pointer.contains("~") {
      #expect(fast == nil)
    } else {
      #expect(fast == plain)
    }
  }

  @Test(arguments: [
    "/a", "/a/0", "/a/1", "/a/2", "/a/3", "/a/x", "/a/00", "/a/1/", "/a/1/new", "/é", "/è", "/",
    "//", "//new", "/new", "/new/new", "/b~1c", "/b/c", "/empty/0", "/empty/1", "/none/a",
    "/quotation\"mark", "/line\n", "/é/a", "/a/-", "/~", "x", "",
  ])
  func editsAsThePlainFunctionsDo(_ pointer: String) throws {
    let value = try Value(
      json: #"{"a":[1,{"":2}],"b/c":3,"é":4,"":{"":5},"empty":[],"none":{},"quotation\"mark":6}"#)
    let hasFastPath = !pointer.contains { "~-\"\n".contains($0) } && !pointer.isEmpty
    Array(pointer.utf8).withUnsafeBytes { bytes in
      let edits = [
        (value.fastPathSetting(bytes, 9), try? value.setting(JSONPointer(pointer), 9)),
        (value.fastPathInserting(bytes, 9), try? value.inserting(JSONPointer(pointer), 9)),
        (value.fastPathRemoving(bytes), try? value.removing(JSONPointer(pointer))),
      ]
      for (fast, plain) in edits {
        #expect(fast == plain || !hasFastPath && fast == nil)
      }
    }
  }

  @Test func refusesNewKeysThatAreNotText() throws {
    let value = try Value(json: #"{"a":1}"#)
    for key in [[0x61, 0], [0xFF], [0xC3]] as [[UInt8]] {
      ([UInt8(ascii: "/")] + key).withUnsafeBytes { pointer in
        #expect(value.fastPathSetting(pointer, 9) == nil)
        #expect(value.fastPathInserting(pointer, 9) == nil)
        #expect(value.fastPathRemoving(pointer) == nil)
      }
    }
  }
}
