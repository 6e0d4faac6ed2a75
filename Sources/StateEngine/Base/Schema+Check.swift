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

  /// The maximum number of references that a check follows inside each other. It bounds the stack.
  static var maximumReferences: Int { 64 }

  /// - Parameter references: How many references inside each other may be followed.
  private func check(
    _ value: Value, _ references: Int = Schema.maximumReferences
  ) throws(SchemaError) {
    switch (self, value) {
    case (.limited(let schema, let limits), _):
      try schema.check(value, references)
      try limits.compiled.check(value)
    case (.reference(let name, let schema), _):
      guard references > 0 else {
        throw SchemaError("more than \(Self.maximumReferences) \(quoted(name)) in each other")
      }
      try schema().check(value, references - 1)
    case (.invalid(let problem), _):
      throw SchemaError(problem)
    case (.any, _), (.boolean, .bool), (.integer, .integer), (.number, .integer),
      (.number, .real), (.string, .string), (.nullable, .null):
      return
    case (.integer, .real(let real)) where Int64(equalTo: real) != nil:
      return
    case (.nullable(let schema), _):
      try schema.check(value, references)
    case (.oneOf(let names), .string(let name)):
      guard names.contains(name) else {
        throw .unknownName(name, names)
      }
    case (.array(let schema), .array(let elements)):
      try schema.check(elements, references)
    case (.dictionary(let schema), .object(let members)):
      for (key, member) in members {
        try schema.check(member, at: key, references)
      }
    case (.variants(let variants), .object(let members)):
      try variants.check(members, references)
    case (.object(let properties), .object(let members)):
      try properties.check(members, references)
    default:
      throw self.mismatch(value)
    }
  }

  private func check(_ elements: JSONArray, _ references: Int) throws(SchemaError) {
    var index = 0
    for element in elements {
      try self.check(element, at: index.description, references)
      index += 1
    }
  }

  /// Checks a part.
  ///
  /// - Parameter step: The step to the part, for errors.
  fileprivate func check(
    _ value: Value, at step: @autoclosure () -> String, _ references: Int
  ) throws(SchemaError) {
    do {
      try self.check(value, references)
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
    case .limited(let schema, _): schema.kindWithArticle
    case .reference, .invalid: "another value"
    }
  }
}

extension [Schema.Variant] {
  fileprivate func check(_ members: JSONObject, _ references: Int) throws(SchemaError) {
    guard members.count == 1, let (key, values) = members.first else {
      throw SchemaError("found \(members.count) members\(suggestion("", self.map(\.name)))")
    }
    guard let variant = self.first(where: { $0.name == key }) else {
      throw SchemaError("unknown member \(quoted(key))\(suggestion(key, self.map(\.name)))")
    }
    do {
      try variant.values.check(values, references)
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
      try self.check(value, Schema.maximumReferences)
    } catch {
      throw EngineError(.invalidArgument, error.message(subject))
    }
  }

  fileprivate func check(_ value: Value, _ references: Int) throws(SchemaError) {
    guard case .object(let members) = value else { throw Schema.object(self).mismatch(value) }
    try self.check(members, references)
  }

  /// An unknown member is reported before any other problem.
  fileprivate func check(_ members: JSONObject, _ references: Int) throws(SchemaError) {
    var known = 0
    do throws(SchemaError) {
      for property in self {
        if let member = members[property.key] {
          known += 1
          try property.schema.check(member, at: property.name, references)
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
