import ImmutableJSON
import JMESPath

extension JSONObject: RecordCollection {
  /// Reads the records from text, as a program that loads its state does.
  static func records(count: Int) -> JSONObject {
    let members = (0..<count).map { "\"\($0)\":\(Record(number: $0).json)" }
    guard case .object(let object) = value("{\(members.joined(separator: ","))}") else {
      fatalError("not an object")
    }
    return object
  }

  static func key(_ number: Int) -> String { String(number) }

  static func stored(_ record: Record) -> Value { value(record.json) }

  func found(at key: String) -> Value? { self[key] }

  mutating func insert(_ record: Value, at key: String) {
    self[key] = record
  }

  mutating func update(at key: String, a: Int64) {
    guard case .object(var record) = self[key] else { return }
    record["a"] = .integer(a)
    self[key] = .object(record)
  }

  mutating func delete(at key: String) {
    self[key] = nil
  }

  func sorted() -> JSONArray {
    evaluate(sortValues, .object(self))
  }

  static func a(_ found: Value?) -> Int64? { found?.a }
  static func a(sorted: Value) -> Int64? { sorted.a }
}

/// Records by index. An insertion appends.
extension JSONArray: RecordCollection {
  static func records(count: Int) -> JSONArray {
    let elements = (0..<count).map { Record(number: $0).json }
    guard case .array(let array) = value("[\(elements.joined(separator: ","))]") else {
      fatalError("not an array")
    }
    return array
  }

  static func key(_ number: Int) -> Int { number }

  static func stored(_ record: Record) -> Value { value(record.json) }

  func found(at key: Int) -> Value { self[key] }

  mutating func insert(_ record: Value, at key: Int) {
    self.append(record)
  }

  mutating func update(at key: Int, a: Int64) {
    guard case .object(var record) = self[key] else { return }
    record["a"] = .integer(a)
    self[key] = .object(record)
  }

  mutating func delete(at key: Int) {
    self.remove(at: key)
  }

  func sorted() -> JSONArray {
    evaluate(sortElements, .array(self))
  }

  static func a(_ found: Value) -> Int64? { found.a }
  static func a(sorted: Value) -> Int64? { sorted.a }
}

extension Record {
  fileprivate var json: String {
    let members = zip("abcdefghij", [a, b, c, d, e, f, g, h, i, j])
    return "{\(members.map { "\"\($0)\":\($1)" }.joined(separator: ","))}"
  }
}

extension Value {
  fileprivate var a: Int64? {
    if case .integer(let a)? = self["a"] { a } else { nil }
  }
}

private let sortValues = expression("sort_by(values(@), &a)")
private let sortElements = expression("sort_by(@, &a)")

private func expression(_ text: String) -> Expression {
  do {
    return try Expression(text)
  } catch {
    fatalError("\(error)")
  }
}

private func evaluate(_ expression: Expression, _ value: Value) -> JSONArray {
  do {
    guard case .array(let array) = try expression.evaluate(value) else {
      fatalError("not an array")
    }
    return array
  } catch {
    fatalError("\(error)")
  }
}

private func value(_ text: String) -> Value {
  do {
    return try Value(json: text)
  } catch {
    fatalError("\(error)")
  }
}
