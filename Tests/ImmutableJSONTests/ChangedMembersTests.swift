import ImmutableJSON
import TestSupport
import Testing

/// Encoding only the members that have changed, into nothing.
@Suite struct ChangedMembersTests {
  /// Records each encoding.
  private struct Part: Encodable, Equatable {
    var number: Double
    var recorder: Recorder<Double>

    func encode(to encoder: any Encoder) throws {
      self.recorder.append(self.number)
      try self.number.encode(to: encoder)
    }

    static func == (left: Self, right: Self) -> Bool { left.number == right.number }
  }

  private struct Parts: Encodable {
    var first: Part
    var second: Part
    var third: [Double]?
  }

  private let recorder = Recorder<Double>()

  private func parts(_ first: Double, _ second: Double, _ third: [Double]? = nil) -> Parts {
    Parts(
      first: Part(number: first, recorder: self.recorder),
      second: Part(number: second, recorder: self.recorder), third: third)
  }

  @Test func onlyMembersThatDifferAreEncoded() throws {
    try Value.checkEncoding(of: self.parts(1, 2), after: self.parts(1, 2))
    #expect(self.recorder.all == [])
    try Value.checkEncoding(of: self.parts(1, 3, [4]), after: self.parts(1, 2))
    #expect(self.recorder.all == [3])
  }

  private func path(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch EncodingError.invalidValue(_, let context) {
      return context.codingPath.map(\.stringValue).joined(separator: "/")
    } catch {
      return "\(error)"
    }
  }

  @Test(arguments: [Double.infinity, -.infinity, .nan])
  func aNumberWithoutJSONIsFound(_ number: Double) {
    let old = self.parts(1, 2, [3])
    #expect(
      self.path { try Value.checkEncoding(of: self.parts(1, number), after: old) } == "second")
    #expect(
      self.path { try Value.checkEncoding(of: self.parts(1, 2, [3, number]), after: old) }
        == "third/1")
    // Values without members are encoded as a whole.
    #expect(self.path { try Value.checkEncoding(of: [1, number], after: [1]) } == "1")
    #expect(self.path { try Value.checkEncoding(of: number, after: 1) } == "")
    #expect(self.path { try Value.checkEncoding(of: 1, after: 2.0) } == nil)
  }
}
