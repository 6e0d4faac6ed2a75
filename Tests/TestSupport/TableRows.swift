/// An action in a state, both as JSON, and the next state.
package struct ReducerRow: Sendable, CustomStringConvertible {
  package let before: String
  package let action: String

  /// The next state, or `nil` if the action fails.
  package let after: String?

  package init(_ before: String, _ action: String, _ after: String?) {
    (self.before, self.action, self.after) = (before, action, after)
  }

  package var description: String {
    "\(self.action) in \(self.before)"
  }
}

/// An action in a state, both as JSON, and what its effect does.
package struct EffectRow: Sendable, CustomStringConvertible {
  package let state: String
  package let action: String

  /// The call that the effect makes; `nil` if there is no effect.
  package let call: String?

  /// The actions that the effect dispatches if the call succeeds, and if it is refused.
  package let success: String
  package let failure: String

  package init(
    _ state: String, _ action: String, _ call: String? = nil, success: String = "",
    failure: String = ""
  ) {
    (self.state, self.action, self.call) = (state, action, call)
    (self.success, self.failure) = (success, failure)
  }

  package var description: String {
    "\(self.action) in \(self.state)"
  }
}
