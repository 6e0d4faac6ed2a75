import CMalloc
import HashTreeCollections
import ImmutableJSON

/// A record as a program that knows its members at compile time declares it.
private struct Record {
  var f0, f1, f2, f3, f4, f5, f6, f7, f8, f9: Int64

  init(_ n: Int64) {
    (f0, f1, f2, f3, f4) = (n, n + 1, n + 2, n + 3, n + 4)
    (f5, f6, f7, f8, f9) = (n + 5, n + 6, n + 7, n + 8, n + 9)
  }
}

/// The memory of a record of ten integers, in a map of 65,536 records.
func measureMemory() throws {
  let count = 65_536
  let records = (0..<count).map { number in
    let members = (0..<10).map { "\"f\($0)\":\(number + $0)" }
    return "\"k\(number)\":{\(members.joined(separator: ","))}"
  }
  let text = "{\(records.joined(separator: ","))}"
  let ours = try allocated { try Value(json: text) }
  let theirs = allocated {
    var tree = TreeDictionary<String, Record>()
    for number in 0..<count {
      tree["k\(number)"] = Record(Int64(number))
    }
    return tree
  }
  let (each, one) = (Double(ours) / Double(count), Double(theirs) / Double(count))
  printRow("memory of a record of ten integers", each, "TreeDictionary of structs", one, "B")
}

/// The memory of the object that `make` returns, in bytes.
private func allocated<Made>(_ make: () throws -> Made) rethrows -> Int {
  let before = allocated()
  let made = try make()
  let after = allocated()
  withExtendedLifetime(made) {}
  return after - before
}

private func allocated() -> Int {
  let info = mallinfo2()
  return Int(info.uordblks + info.hblkhd)
}
