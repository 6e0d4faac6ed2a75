import TestSupport
import Testing

@testable import ImmutableJSON

/// The cached sizes of nodes are upper bounds, and the probe computes the exact size.
@Suite struct SubtreeSizeTests {
  @Test func aNodeHeaderHasFourWords() {
    #expect(MemoryLayout<NodeHeader>.stride == 32)
  }

  @Test(arguments: [
    "null", "true", "false", "0", "-1", "9", "10", "-9223372036854775808", "9223372036854775807",
    "0.1", "-2.2250738585072014e-308", "1.7976931348623157e+308", "-0.00012345678901234567",
    "18014398509481984.0", "9007199254740993.5", #""""#, #""é\u0000\u001f\u007f\"\\/""#,
    #""0123456789\nabcdef\u0001\t""#, "[]", "{}", "[[]]", "[1,2,[3]]", #"{"":0}"#,
    #"{"a\u0001\"bcdefgh":{"é":[]},"\\":1.5}"#,
  ])
  func theProbeAgreesWithTheWriter(_ text: String) throws {
    try check(Value(json: text))
  }

  @Test(arguments: seeds(6))
  func theBoundHoldsForRandomValuesAndEdits(_ seed: Int) throws {
    var generator = SeededGenerator(seed)
    var value = Value.random(depth: 3, using: &generator)
    for _ in 0..<20 {
      try check(value)
      guard let pointer = value.pointers().randomElement(using: &generator), !pointer.tokens.isEmpty
      else { return }
      if Bool.random(using: &generator) {
        value = try value.removing(pointer)
      } else {
        value = try value.setting(pointer, Value.random(depth: 1, using: &generator))
      }
    }
  }

  @Test func largeNodesAreVisitedOnce() throws {
    // 2^27 times a string of 4,096 characters, each of which has 6 bytes as JSON: 3 TiB.
    var value = Value.string(String(repeating: "\u{1}", count: 4_096))
    for _ in 0..<27 { value = [value, value] }
    let size = try #require(SizeProbe.size(of: value, ifTextIsBeyond: 1))
    #expect(size.values == 1 << 28 - 1)
    #expect(size.text == (6 * 4_096 + 3) << 27 + 2 * (1 << 27 - 1))
    #expect(value.size.text == size.text)
  }

  @Test func aSaturatedSumStaysABound() throws {
    var array = JSONArray([1])
    for _ in 0..<100 { array = [.array(array), .array(array)] }
    #expect(Value.array(array).size == SubtreeSize(text: .max, values: .max, depth: 101))
    #expect(Value.array(array).exceededLimit?.kind == .values)
    array[0] = 1
    array[1] = 1
    #expect(Value.array(array).size.values == .max)
    #expect(!Value.array(array).exceedsLimits)
  }

  private func check(_ value: Value) throws {
    let text = value.utf8JSON.count
    #expect(value.size.text >= text + 1)
    let size = try #require(SizeProbe.size(of: value, ifTextIsBeyond: 0))
    #expect(size.text == text + 1)
    #expect(size.values == value.size.values)
    #expect(Int(size.values) == value.pointers().count)
    #expect(SizeProbe.depth(of: value) == value.pointers().map { value.depth(at: $0) }.max())
    #expect(SizeProbe.depth(of: value) <= value.size.depth)
    if size.text < value.size.text {
      #expect(SizeProbe.size(of: value, ifTextIsBeyond: value.size.text - 1) == nil)
    }
  }
}

extension Value {
  fileprivate static func random(depth: Int, using generator: inout SeededGenerator) -> Value {
    // Occasionally more than fit in a node.
    let count = Int.random(in: 0..<5, using: &generator) == 0 ? 40 : 3
    switch Int.random(in: 0..<(depth > 0 ? 7 : 4), using: &generator) {
    case 0: return .null
    case 1: return .integer(Int64(bitPattern: generator.next()) >> (generator.next() % 64))
    case 2: return .real(.random(in: -1e300...1e300, using: &generator))
    case 3: return .string(Self.randomText(&generator))
    case 4, 5:
      return .object(
        JSONObject(
          (0..<count).map { _ in
            (Self.randomText(&generator), .random(depth: depth - 1, using: &generator))
          }))
    default:
      return .array(
        JSONArray((0..<count).map { _ in .random(depth: depth - 1, using: &generator) }))
    }
  }

  private static func randomText(_ generator: inout SeededGenerator) -> String {
    let scalars = Array("ab0\"\\\n\u{1F}\u{7F}é😀".unicodeScalars)
    var text = ""
    for _ in 0..<Int.random(in: 0..<20, using: &generator) {
      text.unicodeScalars.append(scalars.randomElement(using: &generator) ?? "a")
    }
    return text
  }

  /// The pointers to this value and all values in it.
  fileprivate func pointers(_ pointer: JSONPointer = JSONPointer()) -> [JSONPointer] {
    switch self {
    case .array(let array):
      [pointer] + array.enumerated().flatMap { $1.pointers(pointer.appending("\($0)")) }
    case .object(let object):
      [pointer] + object.flatMap { $0.value.pointers(pointer.appending($0.key)) }
    default: [pointer]
    }
  }

  /// The number of arrays and objects that enclose a value, including itself.
  fileprivate func depth(at pointer: JSONPointer) -> Int {
    switch try? self.get(pointer) {
    case .array, .object: pointer.tokens.count + 1
    default: pointer.tokens.count
    }
  }
}
