import ImmutableJSON
import TestSupport
import Testing

/// Values that are read in batches, without being retained.
@Suite struct ValueBatchTests {
  private func read(_ batches: inout ValueBatches) -> [Value] {
    var values: [Value] = []
    while let batch = batches.next() {
      withUnsafeTemporaryAllocation(of: BorrowedValue.self, capacity: ValueColumn.capacity) {
        let column = ValueColumn($0)
        batch.read(batch.slots, into: column)
        batch.slots.forEach { slot in
          #expect(batch.value(at: slot) == column[slot].value)
          values.append(column[slot].value)
        }
        let nonNulls = batch.slots.filter { batch.value(at: $0) != .null }
        #expect(batch.slotsWithoutNulls == nonNulls)
      }
    }
    return values
  }

  @Test(arguments: [0, 1, 15, 16, 17, 32, 33, 300, 5000])
  func values(_ count: Int) throws {
    let integers = (0..<count).map { Value.integer(Int64($0) * 3_000_000) }
    let mixed = (0..<count).map {
      [.integer(Int64($0)), .null, "a", 1.5, [], true][$0 % 6] as Value
    }
    for values in [integers, mixed, integers.map { _ in 0.5 }] {
      // Parsed numbers are packed.
      for array in [JSONArray(values), try Value(json: Value.array(JSONArray(values)).json).array] {
        var batches = ValueBatches(array.values)
        #expect(self.read(&batches) == values)
      }
      values.withUnsafeBufferPointer { buffer in
        var batches = ValueBatches(buffer)
        #expect(self.read(&batches) == values)
      }
    }
  }

  /// A lookup finds what a search finds, whatever the keys of the previous object were.
  @Test(arguments: seeds(2))
  func members(_ seed: Int) throws {
    var random = SeededGenerator(seed)
    let names = ["a", "b", "c", "d"] + (0..<40).map { "name \($0)" }
    let shapes = [[], ["a"], ["b"], ["a", "b"], ["b", "c", "d"], names]
    for _ in 0..<20 {
      let objects = (0..<100).map { index in
        let keys = shapes.randomElement(using: &random) ?? []
        return index % 9 == 0
          ? "\(index)"
          : "{"
            + keys.map { "\"\($0)\":\(index % 7 == 0 ? "\"x\"" : "\(index)")" }
            .joined(separator: ",") + "}"
      }
      let text = "[\(objects.joined(separator: ","))]"
      let array = try Value(json: text).array
      for name in ["a", "b", "name 20", "z"] {
        let key = ObjectKey(name)
        let expected = array.map { $0[name] }
        var lookup = MemberLookup()
        #expect(array.map { lookup.member(key, of: $0) } == expected)
        // Objects that exist only for the lookup.
        #expect(try array.map { lookup.member(key, of: try Value(json: $0.json)) } == expected)
        var batches = ValueBatches(array.values)
        var members: [Value] = []
        while let batch = batches.next() {
          withUnsafeTemporaryAllocation(of: BorrowedValue.self, capacity: ValueColumn.capacity) {
            let column = ValueColumn($0)
            batch.read(key, &lookup, batch.slots, into: column)
            batch.slots.forEach { members.append(column[$0].value) }
            // Members of members.
            batch.read(batch.slots, into: column)
            column.read(key, &lookup, batch.slots)
            #expect(
              Array(members.suffix(batch.count)) == (0..<batch.count).map { column[$0].value })
          }
        }
        #expect(members == expected.map { $0 ?? .null })
      }
    }
  }
}

extension Value {
  fileprivate var array: JSONArray {
    if case .array(let array) = self { array } else { [] }
  }
}
