/// Ten integers, 80 bytes.
struct Record {
  var a, b, c, d, e, f, g, h, i, j: Int64
}

/// A record on the heap, with a reference count. A collection of boxes copies and moves 8 bytes for
/// each record.
final class Box: Sendable {
  let record: Record

  init(_ record: Record) {
    self.record = record
  }
}

/// A record as a collection of structs or of boxes holds it.
protocol RecordElement {
  init(_ record: Record)
  var record: Record { get }
}

extension Box: RecordElement {}

extension Record: RecordElement {
  init(_ record: Record) {
    self = record
  }

  var record: Record { self }

  /// The record with a number. Sorting records by `a` scatters their numbers.
  init(number: Int) {
    let n = Int64(number)
    self.init(
      a: Int64(scattered(number)), b: n, c: n + 1, d: n + 2, e: n + 3, f: n + 4, g: n + 5, h: n + 6,
      i: n + 7, j: n + 8)
  }
}

extension RecordElement {
  /// The same record with another value of `a`.
  func setting(a: Int64) -> Self {
    var record = self.record
    record.a = a
    return Self(record)
  }
}

/// A permutation of the numbers below `count`, which must be a power of 2 up to 65,536.
func scattered(_ number: Int, below count: Int = 65_536) -> Int {
  (number &* 40_503) & (count - 1)
}
