import HashTreeCollections

/// Records by index. An insertion appends.
extension Array: RecordCollection where Element: RecordElement {
  static func records(count: Int) -> Self {
    (0..<count).map { Element(Record(number: $0)) }
  }

  static func key(_ number: Int) -> Int { number }

  static func stored(_ record: Record) -> Element { Element(record) }

  func found(at key: Int) -> Element { self[key] }

  mutating func insert(_ record: Element, at key: Int) {
    self.append(record)
  }

  mutating func update(at key: Int, a: Int64) {
    self[key] = self[key].setting(a: a)
  }

  mutating func delete(at key: Int) {
    self.remove(at: key)
  }

  func sorted() -> [Element] {
    self.sorted { $0.record.a < $1.record.a }
  }

  static func a(_ found: Element) -> Int64? { found.record.a }
  static func a(sorted: Element) -> Int64? { sorted.record.a }
}

extension Dictionary: RecordCollection where Key == Int64, Value: RecordElement {
  static func records(count: Int) -> Self {
    Self(uniqueKeysWithValues: (0..<count).map { (Int64($0), Value(Record(number: $0))) })
  }

  static func key(_ number: Int) -> Int64 { Int64(number) }

  static func stored(_ record: Record) -> Value { Value(record) }

  func found(at key: Int64) -> Value? { self[key] }

  mutating func insert(_ record: Value, at key: Int64) {
    self[key] = record
  }

  mutating func update(at key: Int64, a: Int64) {
    self[key] = self[key]?.setting(a: a)
  }

  mutating func delete(at key: Int64) {
    self[key] = nil
  }

  func sorted() -> [Value] {
    self.values.sorted { $0.record.a < $1.record.a }
  }

  static func a(_ found: Value?) -> Int64? { found?.record.a }
  static func a(sorted: Value) -> Int64? { sorted.record.a }
}

extension TreeDictionary: RecordCollection where Key == Int64, Value: RecordElement {
  static func records(count: Int) -> Self {
    Self(uniqueKeysWithValues: (0..<count).map { (Int64($0), Value(Record(number: $0))) })
  }

  static func key(_ number: Int) -> Int64 { Int64(number) }

  static func stored(_ record: Record) -> Value { Value(record) }

  func found(at key: Int64) -> Value? { self[key] }

  mutating func insert(_ record: Value, at key: Int64) {
    self[key] = record
  }

  mutating func update(at key: Int64, a: Int64) {
    self[key] = self[key]?.setting(a: a)
  }

  mutating func delete(at key: Int64) {
    self[key] = nil
  }

  func sorted() -> [Value] {
    self.values.sorted { $0.record.a < $1.record.a }
  }

  static func a(_ found: Value?) -> Int64? { found?.record.a }
  static func a(sorted: Value) -> Int64? { sorted.record.a }
}
