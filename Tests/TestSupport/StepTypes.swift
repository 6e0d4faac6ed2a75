import ImmutableJSON

extension Value {
  /// The types of the steps of a history.
  package var stepTypes: [Value] {
    guard case .array(let entries)? = self["entries"] else { return [] }
    return entries.map { $0["type"] ?? .null }
  }
}
