import TestSupport
import Testing

@testable import ImmutableJSON

/// A parser expects the keys of objects that it has seen. The result must not depend on it.
@Suite struct ExpectedKeyTests {
  private struct Outcome: Equatable {
    var value: Value?
    var failure: [Int] = []
    var context: JSONParser.Context?
  }

  private func parse(_ text: [UInt8], _ parser: JSONParser) -> Outcome {
    defer { parser.release() }
    do {
      return Outcome(value: try text.withUnsafeBufferPointer { try parser.parse($0) })
    } catch let error as JSONParser.Failure {
      return Outcome(failure: [error.token, error.stop], context: error.context)
    } catch {
      return Outcome()
    }
  }

  private func check(_ text: some Sequence<UInt8>, _ parser: JSONParser) {
    let text = Array(text)
    let expected = self.parse(text, JSONParser())
    #expect(self.parse(text, parser) == expected, "\(String(decoding: text, as: UTF8.self))")
  }

  private static let seen =
    #"{"id":1,"name":"x","birthday":{"year":1},"a longer key":2,"a key of more than 16 bytes":3}"#

  private static let others = [
    #"{"id":1,"name":"x","birthday":{"year":1},"a longer key":2,"a key of more than 16 "#
      + #"bytes":3,"z":4}"#,
    #"{"id":1,"name":"x","birthday":{"year":1},"a longer key":2}"#,
    #"{"id":1,"name":"x","birthday":{"year":1,"month":2},"a longer kez":2}"#,
    #"{"id":1,"name":"x","birthday":{},"a longer key":2,"a key of more than 16 byteS":3}"#,
    #"{"id":1,"name":"x","birthday":{"yeas":1},"a lonGer key":2}"#,
    #"{"id":1,"nam":"x","birthday":2}"#,
    #"{"id":1,"names":"x","birthdays":2}"#,
    #"{"id":1,"name":"x","birthda\u0079":2}"#,
    #"{"id":1,"name":"x","name":"y","id":2}"#,
    #"{"name":"x","id":1}"#,
    #"{"ie":1,"name":"x"}"#,
    #"{ "id" : 1 , "name" : "x" , "birthday" : { "year" : 1 } , "a longer key" : 2 }"#,
    #"{"id":1,"name" "x"}"#,
    #"{"id":1,"name"=1}"#,
    #"{"id":1,name":1}"#,
    #"{"id":1,"name":"x",}"#,
    #"{"id":1,"name\u0000":2}"#,
    #"[{"id":1,"name":"x"},{"id":{"id":2,"name":"y"},"name":"z"}]"#,
  ]

  @Test(arguments: Self.others) func otherKeysAreParsed(_ text: String) {
    let parser = JSONParser()
    let seen = Array(Self.seen.utf8)
    for _ in 0..<2 {
      self.check(seen, parser)
      // Also each beginning of the text.
      for end in 0...text.utf8.count {
        self.check(text.utf8.prefix(end), parser)
        self.check(seen, parser)
      }
    }
  }

  @Test func aKeyWithEscapesIsNotExpectedAsText() {
    let parser = JSONParser()
    self.check(#"{"id":1,"a\"b":2,"c\\":3}"#.utf8, parser)
    self.check(#"{"id":1,"a\"b":2,"c\\":3}"#.utf8, parser)
    self.check(#"{"id":1,"a"b":2,"c\":3}"#.utf8, parser)
    self.check(#"{"id":1,"a\"b":2,"c\":3}"#.utf8, parser)
  }

  /// Texts with so many shapes that they replace each other while objects are open.
  @Test func replacedShapesAreNotExpected() {
    var generator = SeededGenerator(3)
    let parser = JSONParser()
    for _ in 0..<300 {
      self.check(generator.object(depth: 4).utf8, parser)
    }
  }
}

extension SeededGenerator {
  /// The text of an object whose keys begin with the same key.
  fileprivate mutating func object(depth: Int) -> String {
    let members = (0..<Int.random(in: 1...5, using: &self)).map { index in
      let name = index == 0 ? "key" : "key number \(Int.random(in: 0..<8, using: &self))"
      let value =
        depth > 0 && Bool.random(using: &self)
        ? self.object(depth: depth - 1) : "\(Int.random(in: 0..<100, using: &self))"
      return #""\#(name)":\#(value)"#
    }
    return "{\(members.joined(separator: ","))}"
  }
}
