import ImmutableJSON

extension Arguments {
  /// The member with a key, which may be the text of an integer, or the element at an index, which
  /// counts from the end if negative; null if it does not exist.
  func get() throws(ExpressionError) -> Value {
    let (value, key) = (try self.value(0), try self.value(1))
    switch key {
    case .string(let key):
      guard case .object(let members) = value else { return .null }
      try self.charge(bytes: key.utf8.count)
      return members[key] ?? .null
    case .integer(let index):
      if case .object(let members) = value { return members[String(index)] ?? .null }
      return value.element(at: Int(clamping: index))
    default:
      throw self.mismatch(1, "a string or an integer", key)
    }
  }

  func keys() throws(ExpressionError) -> Value {
    let members = try self.object(0)
    try self.charge(members.count)
    try self.chargeCreating(elements: members.count)
    var keys: ContiguousArray<Value> = []
    keys.reserveCapacity(members.count)
    for (key, _) in members {
      if key.utf8.count > 15 {
        try self.chargeCreating(bytes: key.utf8.count)
      }
      keys.append(.string(key))
    }
    return try self.array(JSONArray(keys))
  }

  func values() throws(ExpressionError) -> Value {
    let members = try self.object(0)
    try self.charge(members.count)
    try self.chargeCreating(elements: members.count)
    return try self.array(JSONArray(members.values))
  }

  /// The members of all arguments. If a key is repeated, the last value wins.
  func merge() throws(ExpressionError) -> Value {
    let first = try self.object(0)
    guard self.call.arguments.count > 1 else { return .object(first) }
    var members = first
    for index in self.call.arguments.indices.dropFirst() {
      let object = try self.object(index)
      try self.chargeSetting(object.count, in: members.count)
      for (key, value) in object {
        if key.utf8.count > 15 {
          try self.chargeCreating(bytes: key.utf8.count)
        }
        try self.chargeCreating(elements: 1)
        members[key] = value
      }
    }
    return try self.locating { () throws(ExpressionError) in try self.scope.object(members) }
  }

  /// Charges for setting members of a shared object: for each descent through its levels, and once
  /// for each node copied.
  private func chargeSetting(_ count: Int, in size: Int) throws(ExpressionError) {
    var levels = 1
    var nodes = size / 16
    while nodes > 0 {
      levels += 1
      nodes /= 16
    }
    let copied = min(count * levels, size / 8 + levels)
    try self.charge(8 * count * levels + 24 * copied)
  }
}
