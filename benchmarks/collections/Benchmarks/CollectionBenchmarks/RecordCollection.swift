/// A collection of records, with the operations that are measured.
protocol RecordCollection {
  associatedtype Key
  /// A record as the collection holds it.
  associatedtype Stored
  /// A record or, if a key may be missing, an optional one.
  associatedtype Found
  associatedtype Sorted: Sequence

  /// Creates the collection of the records with the numbers below `count`.
  static func records(count: Int) -> Self

  /// The key of the record with a number.
  static func key(_ number: Int) -> Key

  static func stored(_ record: Record) -> Stored

  var count: Int { get }

  func found(at key: Key) -> Found

  mutating func insert(_ record: Stored, at key: Key)

  /// Sets the member `a` of an existing record.
  mutating func update(at key: Key, a: Int64)

  mutating func delete(at key: Key)

  /// All records in ascending order of `a`.
  func sorted() -> Sorted

  /// The value of `a` of a record found or sorted.
  static func a(_ found: Found) -> Int64?
  static func a(sorted: Sorted.Element) -> Int64?
}
