import ImmutableJSON

/// Turns the actions of a domain into JSON: what ``ActionDecoder`` reads.
enum ActionEncoder {
  /// `{"type": "ui/editor/didTapAdd", "payload": {"name": "Eagle"}}`, for what Swift's synthesised
  /// `Codable` writes as `{"ui": {"_0": {"editor": {"_0": {"didTapAdd": {"name": "Eagle"}}}}}}`.
  static func json(_ action: some Encodable) throws -> Value {
    var names: [String] = []
    var value = try Value(encoding: action)
    while case .object(let cases) = value, cases.count == 1, let member = cases.first {
      names.append(member.key)
      guard case .object(let values) = member.value else { break }
      guard values.count == 1, let inner = values["_0"] else {
        let type = Value.string(names.joined(separator: "/"))
        return values.isEmpty ? ["type": type] : ["type": type, "payload": member.value]
      }
      value = inner
    }
    throw EngineError(.invalidAction, "\(action) is not an action of an enum's cases")
  }
}
