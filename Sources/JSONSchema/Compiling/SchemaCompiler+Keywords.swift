import ImmutableJSON

/// The keywords that are understood.
private enum Keyword: String, CaseIterable {
  case type, `enum`, const
  case minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf
  case minLength, maxLength, pattern
  case items, prefixItems, minItems, maxItems, uniqueItems
  case properties, required, additionalProperties, minProperties, maxProperties
  case anyOf, allOf, oneOf, not
  case reference = "$ref"
  case definitions = "$defs"
  // Annotations, which are not checked.
  case title, description, `default`, examples, format, discriminator
  case deprecated, readOnly, writeOnly, contentEncoding, contentMediaType
  case dialect = "$schema"
  case comment = "$comment"
}

extension SchemaCompiler {
  /// Adds a keyword to a node.
  ///
  /// - Parameters:
  ///   - pointer: The pointer to its value.
  ///   - keywords: The whole schema.
  mutating func add(
    _ name: String, _ value: Value, _ pointer: JSONPointer, in keywords: JSONObject,
    to node: SchemaNode
  ) throws(SchemaError) {
    guard let keyword = Keyword(rawValue: name) else {
      let similar = similarNameSuggestion(name, Keyword.allCases.map(\.rawValue)) ?? ""
      throw SchemaError("the keyword \(quoted(name)) is not supported\(similar)")
    }
    switch keyword {
    case .type: node.kinds = try value.schemaKinds()
    case .enum: node.values.append(AllowedValues(Array(try value.schemaArray())))
    case .const: node.values.append(AllowedValues([value]))
    case .minimum: try node.numbers.orEmpty.add(.min, value)
    case .maximum: try node.numbers.orEmpty.add(.max, value)
    case .exclusiveMinimum: try node.numbers.orEmpty.add(.aboveMin, value)
    case .exclusiveMaximum: try node.numbers.orEmpty.add(.belowMax, value)
    case .multipleOf: node.numbers.orEmpty.multiple = (try value.schemaDivisor(), value)
    case .minLength: node.strings.orEmpty.length.min = try value.schemaCount()
    case .maxLength: node.strings.orEmpty.length.max = try value.schemaCount()
    case .pattern: node.strings.orEmpty.pattern = try self.pattern(value)
    case .items: node.elements.orEmpty.rest = try self.otherParts(value, pointer)
    case .prefixItems: node.elements.orEmpty.prefix = try self.nodes(value, at: pointer)
    case .minItems: node.elements.orEmpty.count.min = try value.schemaCount()
    case .maxItems: node.elements.orEmpty.count.max = try value.schemaCount()
    case .uniqueItems: node.elements.orEmpty.isUnique = try value.schemaBool()
    case .properties:
      try self.addProperties(value, pointer, keywords["required"], to: node.members.orEmpty)
    case .required:
      try node.members.orEmpty.addRequired(value, besides: keywords["properties"])
    case .additionalProperties: node.members.orEmpty.others = try self.otherParts(value, pointer)
    case .minProperties: node.members.orEmpty.count.min = try value.schemaCount()
    case .maxProperties: node.members.orEmpty.count.max = try value.schemaCount()
    case .anyOf, .oneOf:
      let branches = try self.nodes(value, at: pointer)
      node.unions.append(SchemaUnion(branches: branches, isExclusive: keyword == .oneOf))
    case .allOf: node.all += try self.nodes(value, at: pointer)
    case .not: node.not = try self.node(value, at: pointer)
    case .reference: node.all.append(try self.node(reference: value))
    case .definitions:
      for (name, schema) in try value.schemaObject() {
        _ = try self.node(schema, at: pointer.appending(name))
      }
    case .title, .description, .default, .examples, .format, .discriminator, .deprecated,
      .readOnly, .writeOnly, .contentEncoding, .contentMediaType, .dialect, .comment:
      break
    }
  }

  private mutating func otherParts(
    _ value: Value, _ pointer: JSONPointer
  ) throws(SchemaError) -> OtherParts {
    switch value {
    case .bool(true): .any
    case .bool(false): .none
    default: .schema(try self.node(value, at: pointer))
    }
  }

  private mutating func addProperties(
    _ value: Value, _ pointer: JSONPointer, _ required: Value?, to rules: MemberRules
  ) throws(SchemaError) {
    // An error in `required` is that of the other keyword.
    let required = Set(((try? required?.schemaStrings()) ?? []).map(StringKey.init))
    for (name, schema) in try value.schemaObject() {
      rules.indices[StringKey(name)] = rules.properties.count
      rules.properties.append(
        .init(
          name: name, key: ObjectKey(name),
          schema: try self.node(schema, at: pointer.appending(name)),
          isRequired: required.contains(StringKey(name))))
    }
  }
}

extension MemberRules {
  fileprivate func addRequired(
    _ value: Value, besides properties: Value?
  ) throws(SchemaError) {
    for name in try value.schemaStrings() where properties?[name] == nil {
      self.otherRequired.append((name, ObjectKey(name)))
    }
  }
}

extension NumberRules {
  fileprivate func add(_ bound: Bound, _ value: Value) throws(SchemaError) {
    self.bounds.append((bound, try value.schemaNumber()))
  }
}

/// Rules that begin empty, with the first keyword that adds to them.
private protocol Rules: AnyObject {
  init()
}

extension NumberRules: Rules {}
extension StringRules: Rules {}
extension ElementRules: Rules {}
extension MemberRules: Rules {}

extension Optional where Wrapped: Rules {
  fileprivate var orEmpty: Wrapped {
    mutating get {
      if let self { return self }
      let rules = Wrapped()
      self = rules
      return rules
    }
  }
}
