import HashTreeCollections
import ImmutableJSON

extension KeyedDecodingContainer {
  /// Decodes an object of values by id.
  ///
  /// Strings that are canonically equivalent in Unicode are equal in Swift. Keys that differ only
  /// in this way are an error: one of the values would be lost.
  package func decodeDictionary<Element: Decodable>(
    _ type: Element.Type = Element.self, forKey key: Key
  ) throws -> TreeDictionary<String, Element> {
    let container = try self.nestedContainer(keyedBy: AnyCodingKey.self, forKey: key)
    var elements: TreeDictionary<String, Element> = [:]
    for key in container.allKeys {
      let element = try container.decode(Element.self, forKey: key)
      guard elements.updateValue(element, forKey: key.stringValue) == nil else {
        let id = quoted(key.stringValue)
        throw DecodingError.invalid(
          "several keys are \(id) in another Unicode normalization; they are one id",
          at: container.codingPath)
      }
    }
    return elements
  }

  /// Decodes an object of records by id. Each key must have the same bytes as the id of its record.
  ///
  /// - Parameter idName: The member of a record with its id.
  package func decodeRecords<Record>(
    _ key: Key, idName: String = "id"
  ) throws -> TreeDictionary<String, Record>
  where Record: Decodable & Identifiable, Record.ID: LosslessStringConvertible {
    let records = try self.decodeDictionary(Record.self, forKey: key)
    // In a defined order, so that the same state has the same error.
    for (name, record) in records.sorted(by: { $0.key.compareBytes(with: $1.key) < 0 }) {
      let id = String(record.id)
      guard !name.hasSameBytes(as: id) else { continue }
      let difference = name == id ? ", but only in its Unicode normalization" : ""
      throw DecodingError.invalid(
        "the key \(quoted(name)) differs from the \(idName) \(quoted(id))\(difference)",
        at: self.codingPath + [key])
    }
    return records
  }
}

extension DecodingError {
  fileprivate static func invalid(_ reason: String, at path: [any CodingKey]) -> DecodingError {
    .dataCorrupted(Context(codingPath: path, debugDescription: reason))
  }
}
