import ImmutableJSON

extension Domain {
  /// All options of a store of this domain.
  static var allOptions: [Schema.Property] {
    [.init("state", self.stateSchema, isRequired: false, "The initial state.")]
      + (self.optimisticUpdates.update != nil ? [.optimistic] : []) + [.budget] + self.options
  }

  /// The domain as JSON: its actions, selectors, options and, if it has any, filters and effects of
  /// the program.
  static var description: Value {
    var members: [(String, Value)] = [
      ("name", .string(self.name)),
      ("summary", .string(self.summary)),
      ("actions", .array(JSONArray(self.actions.map(\.json)))),
      ("selectors", .array(JSONArray(self.selectors.map(\.json)))),
      ("options", Schema.object(self.allOptions).json),
    ]
    if !self.filters.isEmpty {
      members.append(("filters", .array(JSONArray(self.filters.map(\.json)))))
    }
    if !self.programEffects.isEmpty {
      members.append(("effects", .array(JSONArray(self.programEffects.map(\.json)))))
    }
    return .object(JSONObject(members))
  }
}
