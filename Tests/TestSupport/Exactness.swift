import ImmutableJSON

/// The members of a record that its `==` compares less precisely than JSON: text by its normal
/// form, or numbers without the sign of zero.
///
/// - Parameter sample: A record as JSON. Its members are replaced one after the other.
public func inexactMembers<Record: Codable & Equatable>(
  _ type: Record.Type, _ sample: Value
) throws -> [String] {
  guard case .object(let members) = sample else { return ["\(sample) is not an object"] }
  let variants: [(Value, Value)] = [("\u{E9}", "e\u{301}"), (0.0, -0.0)]
  var inexact: [String] = []
  for (key, _) in members {
    for (first, second) in variants {
      let records = [first, second].compactMap { replacement in
        var changed = members
        changed[key] = replacement
        return try? Value.object(changed).decode(type)
      }
      guard records.count == 2, try Value(encoding: records[0]) != Value(encoding: records[1])
      else { continue }
      if records[0] == records[1] { inexact.append("\(key): \(first)") }
    }
  }
  return inexact
}
