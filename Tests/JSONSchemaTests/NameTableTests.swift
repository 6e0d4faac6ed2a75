import ImmutableJSON
@testable import JSONSchema
import Testing

/// Names of properties are found in a table.
@Suite struct NameTableTests {
  @Test(arguments: [0, 1, 10, 64])
  func findsEachName(count: Int) throws {
    // Many have the same first eight bytes, so the same slot.
    let names = (0..<count).map { $0.isMultiple(of: 2) ? "n\($0)" : "a long name \($0)" }
    let table = try #require(NameTable(names.map { ObjectKey($0) }))
    func position(of name: String) -> Int? {
      let key = ObjectKey(name)
      return withExtendedLifetime(key) { table.position(of: key.bytes) }
    }
    for (index, name) in names.enumerated() { #expect(position(of: name) == index) }
    for name in ["", "n", "n99", "a long name", "a long name 0", "a long name 99"] {
      #expect(position(of: name) == nil)
    }
  }

  @Test func refusesMoreNames() {
    #expect(NameTable((0...64).map { ObjectKey("n\($0)") }) == nil)
  }
}
