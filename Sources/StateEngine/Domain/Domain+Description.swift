import ImmutableJSON

extension Domain {
  /// All options of a store of this domain.
  static var allOptions: [Schema.Property] {
    [.init("state", self.stateSchema, isRequired: false, "The initial state.")]
      + (self.optimisticUpdates.update != nil ? [.optimistic] : []) + [.budget] + self.options
  }

  /// The domain as JSON: its actions, selectors and options.
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
