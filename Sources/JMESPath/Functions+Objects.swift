import ImmutableJSON

extension Arguments {
  /// The member with a key, or the element at an index, which counts from the end if it is negative;
  /// null where there is none.
  func get() throws(Fault) -> Value {
    let (value, key) = (try self.value(0), try self.value(1))
    switch key {
    case .string(let key):
      guard case .object(let members) = value else { return .null }
      return members[key] ?? .null
    case .integer(let index):
      return value.element(at: Int(clamping: index))
    default:
      throw self.mismatch(1, "a string or an integer", key)
    }
  }

  func keys() throws(Fault) -> Value {
    let members = try self.object(0)
    try self.scope.charge(members.count)
    return .array(JSONArray(members.map { .string($0.key) }))
  }

  func values() throws(Fault) -> Value {
    let members = try self.object(0)
    try self.scope.charge(members.count)
    return .array(JSONArray(members.values))
  }

  /// The members of all arguments, of which the last of each key counts.
  func merge() throws(Fault) -> Value {
    let first = try self.object(0)
    guard self.call.arguments.count > 1 else { return .object(first) }
    var members: [(String, Value)] = []
    for index in self.call.arguments.indices {
      let object = index == 0 ? first : try self.object(index)
      try self.scope.charge(object.count)
      members.append(contentsOf: object.lazy.map { ($0.key, $0.value) })
    }
    return .object(JSONObject(members))
  }
}
