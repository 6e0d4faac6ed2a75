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

  /// Adds the members that a state lacks, and the objects around them.
  ///
  /// - Throws: ``EngineError`` (`invalidArgument`) if there is something else than an object around
  ///   a member; ``JSONPointerError`` (`limit`).
  func completing(_ state: Value) throws -> Value {
    var state = state
    for (pointer, value) in self.members {
      if let missing = try state.firstMissing(pointer) {
        let inner = pointer.tokens[missing...].dropFirst().reversed()
        state = try state.setting(
          JSONPointer(Array(pointer.tokens[...missing])), inner.reduce(value) { [$1: $0] })
      }
    }
    return state
  }
}

extension Value {
  /// The index of the first step of a pointer that leads to a missing member; `nil` if there is a
  /// value at its end.
  fileprivate func firstMissing(_ pointer: JSONPointer) throws -> Int? {
    var value = self
    for (index, key) in pointer.tokens.enumerated() {
      if case .object(let members) = value, members[key] == nil { return index }
      let parent = JSONPointer(Array(pointer.tokens[..<index]))
      guard let next = try? self.get(JSONPointer(Array(pointer.tokens[...index]))) else {
        throw EngineError(
          .invalidArgument,
          "options/log/defaults: cannot add \(quoted("\(pointer)")), because a state of the log "
            + "has \(value.kindWithArticle) at \(quoted("\(parent)"))")
      }
      value = next
    }
    return nil
  }
}
