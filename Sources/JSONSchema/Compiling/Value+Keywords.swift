import ImmutableJSON

// The values of keywords.

extension Value {
  func schemaString() throws(SchemaError) -> String {
    guard case .string(let text) = self else { throw .mismatch("a string", self) }
    return text
  }

  func schemaBool() throws(SchemaError) -> Bool {
    guard case .bool(let bool) = self else { throw .mismatch("a boolean", self) }
    return bool
  }

  func schemaArray() throws(SchemaError) -> JSONArray {
    guard case .array(let elements) = self else { throw .mismatch("an array", self) }
    return elements
  }

  func schemaObject() throws(SchemaError) -> JSONObject {
    guard case .object(let members) = self else { throw .mismatch("an object", self) }
    return members
  }

  func schemaStrings() throws(SchemaError) -> [String] {
    var strings: [String] = []
    for element in try self.schemaArray() {
      do {
        strings.append(try element.schemaString())
      } catch {
        throw error.after(strings.count.description)
      }
    }
    return strings
  }

  func schemaNumber() throws(SchemaError) -> Value {
    switch self {
    case .integer, .real: return self
    default: throw .mismatch("a number", self)
    }
  }

  /// A number of characters, elements or members.
  func schemaCount() throws(SchemaError) -> Int {
    var count: Int?
    switch self {
    case .integer(let integer): count = Int(integer)
    case .real(let real): count = Int(equalTo: real)
    default: break
    }
    guard let count, count >= 0 else {
      throw SchemaError("expected an integer of at least 0, found \(self.shortText)")
    }
    return count
  }

  func schemaDivisor() throws(SchemaError) -> Decimal {
    guard let divisor = Decimal(self), divisor.isPositive else {
      throw SchemaError("expected a number greater than 0, found \(self.shortText)")
    }
    return divisor
  }

  /// The kinds of `type`: a name or several.
  func schemaKinds() throws(SchemaError) -> SchemaKinds {
    let names = if case .string(let name) = self { [name] } else { try self.schemaStrings() }
    var kinds: SchemaKinds = []
    for name in names {
      guard let named = SchemaKinds(named: name) else {
        throw .unknownName(name, SchemaKinds.names)
      }
      kinds.formUnion(named)
    }
    return kinds
  }

  /// The text of a scalar, or the kind of another value, for messages.
  var shortText: String {
    switch self {
    case .string(let text): quoted(text)
    case .array, .object: self.kindWithArticle
    default: self.json
    }
  }
}
