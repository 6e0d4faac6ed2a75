import ImmutableJSON

extension Schema {
  /// What a type does not say about a member: a summary, and limits of its values.
  public struct Detail: Sendable, ExpressibleByStringInterpolation {
    let summary: String
    let limits: Value?

    /// - Parameters:
    ///   - summary: A sentence about the member.
    ///   - limits: Keywords of JSON Schema, such as `["minimum": 0]`; see ``Schema/limited(_:)``.
    public init(_ summary: String, _ limits: Value? = nil) {
      self.summary = summary
      self.limits = limits
    }

    public init(stringLiteral summary: String) {
      self.init(summary)
    }
  }

  /// This schema with summaries and limits.
  ///
  /// - Parameter details: By JSON Pointer to a member, an associated value or a case. The step `*`
  ///   leads to the elements of an array or dictionary, which can have limits. If there is no such
  ///   part, a store of the domain cannot be opened.
  public func adding(_ details: KeyValuePairs<String, Detail>) -> Schema {
    details.reduce(self) { schema, entry in
      do {
        let pointer = try JSONPointer(entry.key)
        return try schema.adding(entry.value, pointer.tokens[...])
      } catch {
        return .invalid("the detail \(quoted(entry.key)): \(error)")
      }
    }
  }

  fileprivate func adding(_ detail: Detail, _ path: ArraySlice<String>) throws -> Schema {
    guard let step = path.first else {
      guard detail.summary.isEmpty, let limits = detail.limits else {
        throw SchemaDerivation.Failure(
          "only members and cases have a summary; write Detail(\"\", …)")
      }
      return self.limited(limits)
    }
    let rest = path.dropFirst()
    switch self {
    case .nullable(let schema): return .nullable(try schema.adding(detail, path))
    case .limited(let schema, let limits): return .limited(try schema.adding(detail, path), limits)
    case .array(let element) where step == "*": return .array(try element.adding(detail, rest))
    case .dictionary(let element) where step == "*":
      return .dictionary(try element.adding(detail, rest))
    case .object(let properties):
      return .object(try properties.adding(detail, step, rest))
    case .variants(let variants):
      return .variants(try variants.adding(detail, step, rest))
    case .array, .dictionary:
      throw SchemaDerivation.Failure("the step to the elements is \"*\", not \(quoted(step))")
    case .invalid: return self
    case .any, .boolean, .integer, .number, .string, .oneOf, .reference:
      throw SchemaDerivation.Failure("there is no member \(quoted(step))")
    }
  }
}

extension [Schema.Property] {
  /// The members with a detail of one of them, or of a part of it.
  fileprivate func adding(
    _ detail: Schema.Detail, _ name: String, _ rest: ArraySlice<String>
  ) throws -> Self {
    guard let index = self.firstIndex(where: { $0.name.hasSameBytes(as: name) }) else {
      throw SchemaDerivation.Failure(
        "there is no member \(quoted(name))\(suggestion(name, self.map(\.name)))")
    }
    let property = self[index]
    var (schema, summary) = (property.schema, property.summary)
    if !rest.isEmpty {
      schema = try schema.adding(detail, rest)
    } else {
      if let limits = detail.limits { schema = schema.limited(limits) }
      summary = detail.summary
    }
    var properties = self
    properties[index] = .init(name, schema, isRequired: property.isRequired, summary)
    return properties
  }
}

extension [Schema.Variant] {
  /// The cases with the summary of one of them, or a detail of an associated value.
  fileprivate func adding(
    _ detail: Schema.Detail, _ name: String, _ rest: ArraySlice<String>
  ) throws -> Self {
    guard let index = self.firstIndex(where: { $0.name.hasSameBytes(as: name) }) else {
      throw SchemaDerivation.Failure(
        "there is no case \(quoted(name))\(suggestion(name, self.map(\.name)))")
    }
    var (variants, variant) = (self, self[index])
    if let label = rest.first {
      let values = try variant.values.adding(detail, label, rest.dropFirst())
      variant = .init(name, values, variant.summary)
    } else if detail.limits == nil {
      variant = .init(name, variant.values, detail.summary)
    } else {
      throw SchemaDerivation.Failure("a case has no limits; give them to its values")
    }
    variants[index] = variant
    return variants
  }
}
