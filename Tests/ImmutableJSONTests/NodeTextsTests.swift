import Foundation
import TestSupport
import Testing

@testable import ImmutableJSON

/// Writing a version of a value with the text of the previous one.
@Suite struct NodeTextsTests {
  /// The texts of versions, each written after the previous one.
  private struct Texts {
    private var previous: (ranges: TextRanges, text: [UInt8])?

    /// - Parameter text: Replaces the text of the previous version.
    mutating func write(_ value: Value, replacingPrevious text: [UInt8]? = nil) -> String {
      if let text { self.previous?.text = text }
      let (ranges, text) = (self.previous?.text ?? []).withUnsafeBytes { bytes in
        let earlier = self.previous.map { EarlierText($0.ranges, bytes) }
        let (json, ranges) = value.writeJSON(prefix: 0, after: earlier)
        defer { free(json.memory) }
        return (ranges, Array(UnsafeBufferPointer(start: json.memory, count: json.count)))
      }
      self.previous = (ranges, text)
      return String(decoding: text, as: UTF8.self)
    }

    var ranges: Int {
      self.previous?.ranges.count ?? 0
    }
  }

  /// Records with texts of very different lengths.
  private static func records(_ count: Int, using generator: inout SeededGenerator) -> [Value] {
    (0..<count).map { number in
      let length = Bool.random(using: &generator) ? 3 : Int.random(in: 0..<700, using: &generator)
      return .object([
        "n": .integer(Int64(number)), "t": .string(String(repeating: "{", count: length)),
      ])
    }
  }

  @Test(arguments: seeds(4))
  func editsOfAnArray(_ seed: Int) throws {
    var generator = SeededGenerator(seed)
    var texts = Texts()
    let count = (seed - 1) % 8 * 40
    var array = JSONArray(Self.records(count, using: &generator))
    for step in 0..<60 {
      let index = Int.random(in: 0...array.count, using: &generator)
      let element = Self.records(1, using: &generator)[0]
      if step.isMultiple(of: 20) {
        array.insert(.array(array), at: index)
      } else if index == array.count || Bool.random(using: &generator) {
        array.insert(element, at: index)
      } else if Bool.random(using: &generator) {
        array[index] = element
      } else {
        array.remove(at: index)
      }
      #expect(texts.write(.array(array)) == Value.array(array).json)
    }
  }

  @Test(arguments: seeds(4))
  func editsOfAnObject(_ seed: Int) throws {
    var generator = SeededGenerator(seed)
    var texts = Texts()
    var object = JSONObject()
    let count = (seed - 1) % 8 * 40
    for number in 0..<count {
      object["\(number)"] = .array(JSONArray(Self.records(number % 20, using: &generator)))
    }
    for _ in 0..<60 {
      let key = String(Int.random(in: 0..<(count + 9), using: &generator))
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: object[key] = nil
      case 1: object[key] = .object(object)
      case 2: object = JSONObject(object.prefix(count / 2).map { ($0.key, $0.value) })
      default:
        object[key] = .array(
          JSONArray(Self.records(Int.random(in: 0..<40, using: &generator), using: &generator)))
      }
      guard Value.object(object).json.utf8.count < 1 << 20 else { break }
      #expect(texts.write(.object(object)) == Value.object(object).json)
    }
  }

  /// The root of an array becomes a child of a larger one: the brackets are not part of its text.
  @Test func aRootThatBecomesAChild() throws {
    var texts = Texts()
    var array = JSONArray((0..<16).map { .string(String(repeating: "a", count: 100 + $0)) })
    for _ in 0..<40 {
      #expect(texts.write(.array(array)) == Value.array(array).json)
      array.insert("z", at: array.count)
    }
    for _ in 0..<50 {
      #expect(texts.write([[.array(array)]]) == "[[\(Value.array(array).json)]]")
      array.remove(at: 0)
    }
  }

  /// Only the nodes on the path to a change are written; the texts of the others are copied.
  @Test func sharedNodesAreCopied() throws {
    let count = 4096
    let records = (0..<count).map {
      Value.object(["n": .integer(Int64($0)), "text": "a record of 40 or more bytes"])
    }
    let value = Value.array(JSONArray(records))
    let changed = try value.setting(JSONPointer("/2000/n"), -1)
    var texts = Texts()
    let first = texts.write(value)
    #expect(texts.ranges > 200)
    // Copied texts show that they come from the other text.
    let other = first.utf8.map { $0 == UInt8(ascii: "r") ? UInt8(ascii: "R") : $0 }
    let second = texts.write(changed, replacingPrevious: other)
    #expect(second.contains("a RecoRd") && second.contains(#"{"n":-1,"text":"a record"#))
    // The 16 records of one leaf, with four each.
    #expect(second.utf8.filter { $0 == UInt8(ascii: "r") }.count == 16 * 4)
    #expect(second.lowercased() == changed.json.lowercased())
  }

  @Test func shortTextsHaveNoRanges() throws {
    var texts = Texts()
    #expect(texts.write([1, 2, ["a": "b"]]) == #"[1,2,{"a":"b"}]"#)
    #expect(texts.ranges == 0)
    #expect(texts.write("x") == #""x""#)
    #expect(texts.write([]) == "[]")
    // A node whose child has a range has none, at any depth.
    var nested = Value.string(String(repeating: "a", count: 600))
    for _ in 0..<1000 { nested = [nested] }
    #expect(texts.write(nested) == nested.json)
    #expect(texts.ranges == 1)
  }
}
