import ImmutableData
import ImmutableJSON

/// The parts of a state that undo and redo change; others stay as they are.
struct HistoryPaths: Sendable {
  private let pointers: [JSONPointer]

  /// - Parameter texts: The member `paths` of the option `history`.
  init(_ texts: [String]) throws(EngineError) {
    guard !texts.isEmpty else {
      throw EngineError(
        .invalidArgument,
        "options/history/paths: it is empty; list the parts of the state that undo changes, such "
          + "as \"/board\"")
    }
    var pointers: [JSONPointer] = []
    for (index, text) in texts.enumerated() {
      do {
        pointers.append(try JSONPointer(text))
      } catch {
        throw EngineError(
          .invalidArgument, "options/history/paths/\(index): \(error.message)")
      }
    }
    self.pointers = pointers
  }
}

extension HistoryPaths {
  /// A policy for these parts only.
  func restricting(_ policy: HistoryPolicy) -> HistoryPolicy {
    var policy = policy
    policy.hasChanged = { first, last in
      let (old, new) = (ValueModel.commit(first).oldState, ValueModel.commit(last).newState)
      return !old.isIdentical(to: new) && self.differ(old, new) { $0.isIdentical(to: $1) }
    }
    policy.differs = { first, last in
      self.differ(ValueModel.commit(first).oldState, ValueModel.commit(last).newState, by: ==)
    }
    policy.restore = { past, current in
      guard let past = past as? Value, let current = current as? Value else { return past }
      return self.restoring(past, in: current)
    }
    return policy
  }

  private func differ(
    _ old: Value, _ new: Value, by areEqual: (Value, Value) -> Bool
  ) -> Bool {
    self.pointers.contains { pointer in
      switch (try? old.get(pointer), try? new.get(pointer)) {
      case (let old?, let new?): !areEqual(old, new)
      case (nil, nil): false
      default: true
      }
    }
  }

  /// A state with these parts of a past one. Makes the objects on the way to a part that are
  /// missing. A part stays if it has no place, such as a member in an array. O(log n) for each
  /// token.
  func restoring(_ past: Value, in current: Value) -> Value {
    var state = current
    for pointer in self.pointers {
      if let part = try? past.get(pointer) {
        state = state.setting(part, at: pointer)
      } else if let next = try? state.removing(pointer) {
        state = next
      }
    }
    return state
  }
}

extension Value {
  fileprivate func setting(_ part: Value, at pointer: JSONPointer) -> Value {
    var (pointer, part) = (pointer, part)
    while true {
      do throws(JSONPointerError) {
        return try self.setting(pointer, part)
      } catch {
        guard error.code == .notFound, let key = pointer.tokens.popLast() else { return self }
        part = .object(JSONObject([(key, part)]))
      }
    }
  }
}
