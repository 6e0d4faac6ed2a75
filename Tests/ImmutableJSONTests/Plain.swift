import ImmutableJSON

/// A naive JSON type without sharing, the reference for ``Value``.
indirect enum Plain: Equatable {
  case null
  case integer(Int64)
  case array([Plain])
  case object([[UInt8]: Plain])

  enum Edit {
    case set(Plain)
    case insert(Plain)
    case remove
  }

  var value: Value {
    switch self {
    case .null: .null
    case .integer(let integer): .integer(integer)
    case .array(let elements): .array(JSONArray(elements.map(\.value)))
    case .object(let members):
      .object(JSONObject(members.map { (String(decoding: $0, as: UTF8.self), $1.value) }))
    }
  }

  func get(_ tokens: ArraySlice<String>) -> Plain? {
    guard let token = tokens.first else { return self }
    switch self {
    case .object(let members):
      return members[Array(token.utf8)]?.get(tokens.dropFirst())
    case .array(let elements):
      guard let index = Int(token), elements.indices.contains(index) else { return nil }
      return elements[index].get(tokens.dropFirst())
    default:
      return nil
    }
  }

  /// A copy with an edit applied; `nil` if it is impossible.
  func editing(_ tokens: ArraySlice<String>, _ edit: Edit) -> Plain? {
    guard let token = tokens.first else {
      switch edit {
      case .set(let element), .insert(let element): return element
      case .remove: return nil
      }
    }
    let rest = tokens.dropFirst()
    switch self {
    case .object(var members):
      let key = Array(token.utf8)
      switch (rest.isEmpty, edit) {
      case (true, .remove):
        guard members.removeValue(forKey: key) != nil else { return nil }
      case (true, .set(let element)), (true, .insert(let element)):
        members[key] = element
      case (false, _):
        guard let member = members[key]?.editing(rest, edit) else { return nil }
        members[key] = member
      }
      return .object(members)
    case .array(var elements):
      guard let index = token == "-" ? elements.count : Int(token), index >= 0 else { return nil }
      switch (rest.isEmpty, edit) {
      case (true, .set(let element)) where index < elements.count:
        elements[index] = element
      case (true, .set(let element)), (true, .insert(let element)):
        guard index <= elements.count else { return nil }
        elements.insert(element, at: index)
      case (true, .remove):
        guard index < elements.count else { return nil }
        elements.remove(at: index)
      case (false, _):
        guard index < elements.count, let element = elements[index].editing(rest, edit) else {
          return nil
        }
        elements[index] = element
      }
      return .array(elements)
    default:
      return nil
    }
  }

  /// `MergePatch` of RFC 7396, section 2, transcribed literally.
  func merging(_ patch: Plain) -> Plain {
    guard case .object(let changes) = patch else { return patch }
    var target: [[UInt8]: Plain] = [:]
    if case .object(let members) = self {
      target = members
    }
    for (key, change) in changes {
      target[key] = change == .null ? nil : (target[key] ?? .null).merging(change)
    }
    return .object(target)
  }
}
