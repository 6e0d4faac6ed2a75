import ImmutableJSON

/// The members that are added to the states of a log that lack them, because an older program has
/// written them.
struct LogDefaults {
  /// A member of an object comes before the members inside it.
  private let members: [(pointer: JSONPointer, value: Value)]

  static let none = LogDefaults(members: [])

  private init(members: [(pointer: JSONPointer, value: Value)]) {
    self.members = members
  }

  /// - Parameter option: An object whose keys are JSON Pointers; `nil` for no members.
  init(_ option: Value?) throws(EngineError) {
    guard let option else {
      self = .none
      return
    }
    guard case .object(let members) = option else {
      throw EngineError(
        .invalidArgument,
        "options/log/defaults: expected an object of JSON Pointers and values")
    }
    var listed: [(pointer: JSONPointer, value: Value)] = []
    do throws(JSONPointerError) {
      for (text, value) in members { listed.append((try JSONPointer(text), value)) }
    } catch {
      throw EngineError(.invalidArgument, "options/log/defaults: \(error.message)")
    }
    self.members = listed
  }

  /// Adds the members that a state lacks. Where it has no object, it stays as it is.
  ///
  /// - Throws: ``JSONPointerError`` (`limit`)
  func completing(_ state: Value) throws -> Value {
    var state = state
    for (pointer, value) in self.members {
      guard let key = pointer.tokens.last,
        case .object(let parent) = try? state.get(JSONPointer(Array(pointer.tokens.dropLast()))),
        parent[key] == nil
      else { continue }
      state = try state.setting(pointer, value)
    }
    return state
  }
}
