import TestSupport
import Testing

@testable import ImmutableJSON

/// Short texts beside parsed ones.
@Suite struct ShortTextTests {
  @Test func itReadsWhatTheParserReads() throws {
    var random = SeededGenerator(1)
    var count = 0
    for _ in 0..<2000 {
      let text = Self.randomText(&random)
      guard let short = ShortText.make(utf8: text) else { continue }
      count += 1
      let value = try Value(json: text)
      #expect(short.value == value, "\(text)")
      for pointer in Self.pointers(into: value) + ["", "/", "/a", "/0", "/00", "/-", "a", "/a/b"] {
        #expect(Self.get(short, pointer) == value.fastPath(pointer), "\(text) at \(pointer)")
      }
    }
    #expect(count > 1000)
  }

  @Test(arguments: [
    "", " ", "{", "}", "[", "]", "[1,]", "[,1]", "[1 2]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}",
    "{,}", "{\"a\" 1}", "{1:2}", "[1}", "{\"a\":1]", "1 2", "01", "-", "1.", "1e", "tru", "truex",
    "nul", "\"", "\"\u{1}\"", "\"\\x\"", "{\"a\":1}}", "[]]", "+1", "NaN", "{\"a\":1 \"b\":2}",
  ])
  func itRefusesWhatIsNotJSON(text: String) {
    #expect(ShortText.make(utf8: text) == nil)
    #expect(throws: JSONParseError.self) { try Value(json: text) }
  }

  @Test(arguments: [
    #""\n""#, #"{"\u0061":1}"#, "1e400", "99999999999999999999",
    "[" + String(repeating: "1,", count: 63) + "1]", String(repeating: " ", count: 512) + "1",
    "{" + (0..<32).map { "\"k\($0)\":0" }.joined(separator: ",") + "}",
  ])
  func itLeavesOtherTextsToTheParser(text: String) {
    #expect(ShortText.make(utf8: text) == nil)
  }

  @Test(arguments: [
    "[" + String(repeating: "1,", count: 61) + "1]", String(repeating: " ", count: 511) + "1",
    String(repeating: "[", count: 62) + String(repeating: "]", count: 62), "{}", "[]", " [ ] ",
    "{\"a\":{},\"b\":[]}", "[[],{}]", "{\"a\":1,\"a\":2}",
  ])
  func itTakesAllThatIsShort(text: String) throws {
    let short = try #require(ShortText.make(utf8: text))
    #expect(try short.value == Value(json: text))
  }

  @Test func itReadsTheElementsOfAnArray() throws {
    var random = SeededGenerator(2)
    var count = 0
    for _ in 0..<500 {
      let texts = (0..<Int.random(in: 1...5, using: &random)).map { _ in Self.randomText(&random) }
      var text = " [ " + texts.joined(separator: " , ") + " ] "
      if Bool.random(using: &random), let index = text.indices.randomElement(using: &random) {
        text.remove(at: index)
      }
      let value = try? Value(json: text)
      var copy = text
      let elements = copy.withUTF8 { ShortText.elements(of: UnsafeRawBufferPointer($0)) }
      guard let elements else { continue }
      count += 1
      #expect(.array(JSONArray(elements.map(\.value))) == value, "\(text)")
    }
    #expect(count > 200)
  }

  private static func get(_ short: ShortText, _ pointer: String) -> Value? {
    var pointer = pointer
    return pointer.withUTF8 { short.get(UnsafeRawBufferPointer($0)) }
  }

  /// Texts of all kinds of values, with white space, and sometimes with a changed byte.
  private static func randomText(_ random: inout SeededGenerator) -> String {
    var text = Array(self.randomValue(&random, depth: 3).utf8)
    if Bool.random(using: &random), let index = text.indices.randomElement(using: &random) {
      text[index] = Array("{}[]\",:0 ae".utf8).randomElement(using: &random) ?? 0
    }
    let string = String(decoding: text, as: UTF8.self)
    return (try? Value(json: string)) == nil ? "null" : string
  }

  private static func randomValue(_ random: inout SeededGenerator, depth: Int) -> String {
    func space() -> String { ["", "", "", " ", "\n\t"].randomElement(using: &random) ?? "" }
    func name() -> String {
      ["\"a\"", "\"b\"", "\"\"", "\"é\"", "\"0\""].randomElement(using: &random) ?? ""
    }
    let count = Int.random(in: 0...4, using: &random)
    switch Int.random(in: 0...(depth == 0 ? 3 : 7), using: &random) {
    case 0:
      return ["0", "-1", "1.5", "1e3", "123456789012", "-0.0"].randomElement(using: &random) ?? ""
    case 1: return ["true", "false", "null"].randomElement(using: &random) ?? ""
    case 2, 3: return name()
    case 4, 5:
      return "["
        + (0..<count).map { _ in
          space() + self.randomValue(&random, depth: depth - 1) + space()
        }.joined(separator: ",") + space() + "]"
    default:
      return "{" + space()
        + (0..<count).map { _ in
          "\(space())\(name())\(space()):\(space())\(self.randomValue(&random, depth: depth - 1))"
        }.joined(separator: space() + ",") + space() + "}"
    }
  }

  private static func pointers(into value: Value, _ prefix: String = "") -> [String] {
    switch value {
    case .object(let object):
      object.flatMap {
        [prefix + "/" + $0.key] + self.pointers(into: $0.value, prefix + "/" + $0.key)
      }
    case .array(let array):
      array.enumerated().flatMap {
        [prefix + "/\($0.offset)"] + self.pointers(into: $0.element, prefix + "/\($0.offset)")
      }
    default: []
    }
  }
}

extension ShortText {
  fileprivate static func make(utf8 text: String) -> ShortText? {
    var text = text
    return text.withUTF8 { self.make(UnsafeRawBufferPointer($0)) }
  }
}

extension Value {
  fileprivate func fastPath(_ pointer: String) -> Value? {
    var pointer = pointer
    return pointer.withUTF8 { self.fastPathGet(UnsafeRawBufferPointer($0)) }
  }
}
