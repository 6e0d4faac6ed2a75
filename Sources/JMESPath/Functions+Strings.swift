import ImmutableJSON

// All of these are by code points, and as UTF-8 never has the bytes of one within another, by bytes.
extension Arguments {
  func startsWith() throws(Fault) -> Value {
    let (string, start) = (try self.string(0), try self.string(1))
    return .bool(string.utf8.starts(with: start.utf8))
  }

  func endsWith() throws(Fault) -> Value {
    let (string, end) = (try self.string(0), try self.string(1))
    return .bool(string.utf8.reversed().starts(with: end.utf8.reversed()))
  }

  func join() throws(Fault) -> Value {
    let glue = try self.string(0)
    let strings = try self.array(1)
    var result = ""
    for (index, value) in strings.enumerated() {
      guard case .string(let string) = value else {
        throw self.mismatch(1, element: index, "strings", value)
      }
      let glue = index == 0 ? "" : glue
      try self.scope.charge(bytes: glue.utf8.count + string.utf8.count)
      result += glue
      result += string
    }
    return .string(result)
  }

  func toString() throws(Fault) -> Value {
    let value = try self.value(0)
    if case .string = value { return value }
    try value.charge(to: self.scope)
    return .string(value.json)
  }
}

extension Scope {
  /// Takes note of text that is about to be made.
  func charge(bytes: Int) throws(Fault) {
    try self.charge(bytes / 16 + 1)
  }
}

extension Value {
  /// Takes note of the text of a value: what it shares is written as often as it is there.
  fileprivate func charge(to scope: Scope) throws(Fault) {
    switch self {
    case .null, .bool, .integer, .real:
      try scope.charge(1)
    case .string(let string):
      try scope.charge(bytes: string.utf8.count)
    case .array(let elements):
      try scope.charge(1)
      for element in elements {
        try element.charge(to: scope)
      }
    case .object(let members):
      try scope.charge(1)
      for member in members {
        try scope.charge(bytes: member.key.utf8.count)
        try member.value.charge(to: scope)
      }
    }
  }
}
