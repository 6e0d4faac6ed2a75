import ImmutableJSON

extension Domain {
  /// The options that a store of this domain is opened with.
  static var allOptions: [Schema.Property] {
    [.init("state", self.stateSchema, isRequired: false, "The initial state.")]
      + (self.isOptimistic ? [.optimistic] : []) + [.budget] + self.options
  }

  /// All that a caller needs to know to use the domain.
  static var description: Value {
    [
      "name": .string(self.name),
      "summary": .string(self.summary),
      "actions": .array(JSONArray(self.actions.map(\.json))),
      "selectors": .array(JSONArray(self.selectors.map(\.json))),
      "options": Schema.object(self.allOptions).json,
    ]
  }
}
