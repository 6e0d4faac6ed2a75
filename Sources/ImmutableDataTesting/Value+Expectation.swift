import ImmutableJSON
import StateEngine
import Testing

extension Value {
  /// The state that a test expects: this one with new values by JSON Pointer, or with a JSON Patch.
  func applying(changes: Value) throws -> Value {
    guard case .object(let values) = changes else { return try self.applying(patch: changes) }
    return try values.reduce(self) { try $0.setting(JSONPointer($1.key), $1.value) }
  }

  /// The state that a test expects: this one after a change of its type.
  func applying<State: Codable>(_ change: (inout State) throws -> Void) throws -> Value {
    var state = try self.decode(State.self)
    try change(&state)
    return try Value(encoding: state)
  }

  /// Records an issue if a state differs from this one, which was expected.
  func expect(_ state: Value, _ sourceLocation: SourceLocation) throws {
    guard case .array(let differences) = try self.diff(to: state), !differences.isEmpty else {
      return
    }
    let lines = differences.compactMap { difference -> String? in
      guard case .string(let pointer)? = difference["path"] else { return nil }
      let (expected, found) = (self.text(at: pointer), state.text(at: pointer))
      return "\"\(pointer)\": expected \(expected), found \(found)"
    }
    Issue.record(
      "the state is not as expected:\n\(lines.joined(separator: "\n"))",
      sourceLocation: sourceLocation)
  }

  private func text(at pointer: String) -> String {
    (try? self.get(JSONPointer(pointer)).description) ?? "nothing"
  }
}
