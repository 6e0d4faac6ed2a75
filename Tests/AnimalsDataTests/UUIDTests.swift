import Testing

@testable import AnimalsData

@Suite struct UUIDTests {
  @Test func idsHaveVersion4AndUpperCase() throws {
    let form = try Regex("[0-9A-F]{8}-[0-9A-F]{4}-4[0-9A-F]{3}-[89AB][0-9A-F]{3}-[0-9A-F]{12}")
    let ids = (0..<1_000).map { _ in UUID().description }
    #expect(try ids.allSatisfy { try form.wholeMatch(in: $0) != nil })
    #expect(Set(ids).count == ids.count)
  }
}
