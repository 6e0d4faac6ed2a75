import ImmutableJSON
import JSONSchema

extension Schema {
  /// Throws ``EngineError`` for the first part of `value` that does not have this shape.
  ///
  /// - Parameter subject: The name of the whole value in messages.
  func check(
    _ value: Value, _ subject: String, _ code: EngineError.Code = .invalidArgument
  ) throws(EngineError) {
    do {
      try self.check(value)
    } catch {
      throw EngineError(code, error.message(subject))
    }
  }

  private func check(_ value: Value) throws(SchemaError) {
    switch (self, value) {
    case (.any, _), (.boolean, .bool), (.integer, .integer), (.number, .integer),
      (.number, .real), (.string, .string), (.nullable, .null):
      return
    case (.integer, .real(let real)) where Int64(equalTo: real) != nil:
      return
    case (.nullable(let schema), _):
      try schema.check(value)
    case (.oneOf(let names), .string(let name)):
      guard names.contains(name) else {
        throw .unknownName(name, names)
      }
    case (.array(let schema), .array(let elements)):
      try schema.check(elements)
    case (.dictionary(let schema), .object(let members)):
      for (key, member) in members {
        try schema.check(member, at: key)
      }
    case (.variants(let variants), .object(let members)):
      try variants.check(members)
    case (.object(let properties), .object(let members)):
      try properties.check(members)
    default:
      throw self.mismatch(value)
    }
  }

  private func check(_ elements: JSONArray) throws(SchemaError) {
    var index = 0
    for element in elements {
      try self.check(element, at: index.description)
      index += 1
    }
  }

  /// Checks a part.
  ///
  /// - Parameter step: The step to the part, for errors.
  fileprivate func check(
    _ value: Value, at step: @autoclosure () -> String
  ) throws(SchemaError) {
    do {
      try self.check(value)
    } catch {
      throw error.after(step())
    }
  }

  fileprivate func mismatch(_ value: Value) -> SchemaError {
    .mismatch(self.kindWithArticle, value)
  }

  private var kindWithArticle: String {
    switch self {
    case .any: "any value"
    case .boolean: "a boolean"
    case .integer: "an integer"
    case .number: "a number"
    case .string, .oneOf: "a string"
    case .array: "an array"
    case .object, .dictionary, .variants: "an object"
    case .nullable(let schema): "\(schema.kindWithArticle) or null"
    }
  }
}

extension [Schema.Variant] {
  fileprivate func check(_ members: JSONObject) throws(SchemaError) {
    guard members.count == 1, let (key, values) = members.first else {
      throw SchemaError("found \(members.count) members\(suggestion("", self.map(\.name)))")
    }
    guard let variant = self.first(where: { $0.name == key }) else {
      throw SchemaError("unknown member \(quoted(key))\(suggestion(key, self.map(\.name)))")
    }
    do {
      try variant.values.check(values)
    } catch {
      throw error.after(key)
    }
  }
}

extension [Schema.Property] {
  /// Throws ``EngineError`` (`invalidArgument`) for the first part of `value` that does not have
  /// the shape of an object with these members.
  ///
  /// - Parameter subject: The name of the whole value in messages.
  func check(_ value: Value, _ subject: String) throws(EngineError) {
    do {
      try self.check(value)
    } catch {
      throw EngineError(.invalidArgument, error.message(subject))
    }
  }

  fileprivate func check(_ value: Value) throws(SchemaError) {
    guard case .object(let members) = value else { throw Schema.object(self).mismatch(value) }
    try self.check(members)
  }

  /// An unknown member is reported before any other problem.
  fileprivate func check(_ members: JSONObject) throws(SchemaError) {
    var known = 0
    do throws(SchemaError) {
      for property in self {
        if let member = members[property.key] {
          known += 1
          try property.schema.check(member, at: property.name)
        } else if property.isRequired {
          throw .missing(property.name)
        }
      }
    } catch {
      try self.checkNames(members)
      throw error
    }
    if known < members.count {
      try self.checkNames(members)
    }
  }

  private func checkNames(_ members: JSONObject) throws(SchemaError) {
    let names = self.map(\.name)
    let unknown = members.map(\.key).filter { key in
      !names.contains { $0.hasSameBytes(as: key) }
    }
    guard unknown.isEmpty else { throw SchemaError(unknown: unknown, names: names) }
  }
}
