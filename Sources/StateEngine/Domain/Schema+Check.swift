import ImmutableJSON

/// A value does not have the expected shape.
struct SchemaError: Error {
  /// The path, beginning with the name of the whole value: `options/state/value`; "" if the problem
  /// names it.
  let path: String
  let problem: String
}

extension SchemaError: CustomStringConvertible {
  var description: String {
    self.path.isEmpty ? self.problem : "\(self.path): \(self.problem)"
  }
}

extension Schema {
  /// Throws an error for the first part of `value` that does not have this shape.
  ///
  /// - Parameter subject: The name of the whole value in messages.
  func check(_ value: Value, _ subject: String) throws(SchemaError) {
    try self.check(value, subject, JSONPointer())
  }

  /// Throws ``EngineError`` (`invalidArgument`) for the first option that does not have this shape.
  func check(options: Value) throws(EngineError) {
    do {
      try self.check(options, "options")
    } catch {
      throw EngineError(.invalidArgument, "\(error)")
    }
  }

  fileprivate func check(
    _ value: Value, _ subject: String, _ pointer: JSONPointer
  ) throws(SchemaError) {
    switch (self, value) {
    case (.any, _), (.boolean, .bool), (.integer, .integer), (.number, .integer),
      (.number, .real), (.string, .string), (.nullable, .null):
      return
    case (.integer, .real(let real)) where Int64(exactly: real) != nil:
      return
    case (.nullable(let schema), _):
      try schema.check(value, subject, pointer)
    case (.oneOf(let names), .string(let name)):
      guard names.contains(name) else {
        throw SchemaError(
          subject, pointer, "invalid value \(quoted(name))\(suggestion(name, names))")
      }
    case (.array(let schema), .array(let elements)):
      for (index, element) in elements.enumerated() {
        try schema.check(element, subject, pointer.appending(index.description))
      }
    case (.dictionary(let schema), .object(let members)):
      for (key, member) in members {
        try schema.check(member, subject, pointer.appending(key))
      }
    case (.variants(let variants), .object(let members)):
      try variants.check(members, subject, pointer)
    case (.object(let properties), .object(let members)):
      try properties.check(members, subject, pointer)
    default:
      throw SchemaError(
        subject, pointer, "expected \(self.kindWithArticle), found \(value.kindOrNumber)")
    }
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
  fileprivate func check(
    _ members: JSONObject, _ subject: String, _ pointer: JSONPointer
  ) throws(SchemaError) {
    let names = self.map(\.name)
    guard members.count == 1, let (key, values) = members.first(where: { _ in true }) else {
      throw SchemaError(
        subject, pointer,
        "found \(members.count) members\(suggestion("", names))")
    }
    guard let variant = self.first(where: { $0.name == key }) else {
      throw SchemaError(
        subject, pointer, "unknown member \(quoted(key))\(suggestion(key, names))")
    }
    try Schema.object(variant.values).check(values, subject, pointer.appending(key))
  }
}

extension [Schema.Property] {
  fileprivate func check(
    _ members: JSONObject, _ subject: String, _ pointer: JSONPointer
  ) throws(SchemaError) {
    for (key, _) in members where !self.contains(where: { $0.name == key }) {
      let problem = "\(quoted(key))\(suggestion(key, self.map(\.name)))"
      let path = "\(subject)\(pointer)"
      throw path == "options"
        ? SchemaError(path: "", problem: "unknown option \(problem)")
        : SchemaError(path: path, problem: "unknown member \(problem)")
    }
    for property in self {
      if let member = members[property.name] {
        try property.schema.check(member, subject, pointer.appending(property.name))
      } else if property.isRequired {
        throw SchemaError(subject, pointer, "the member \(quoted(property.name)) is missing")
      }
    }
  }
}

extension SchemaError {
  fileprivate init(_ subject: String, _ pointer: JSONPointer, _ problem: String) {
    self.init(path: "\(subject)\(pointer)", problem: problem)
  }
}
