import ImmutableJSON

extension Schema {
  /// The schema as JSON Schema, draft 2020-12. Types that contain themselves are in `$defs`.
  public var json: Value {
    var references = References()
    let json = self.json(&references)
    var definitions: [(String, Value)] = []
    while let (name, schema) = references.pending.popLast() {
      definitions.append((name, schema().json(&references)))
    }
    guard !definitions.isEmpty, case .object(let members) = json else { return json }
    return .object(members.adding("$defs", .object(JSONObject(definitions))))
  }

  /// The references in a schema, each once.
  fileprivate struct References {
    private var names: Set<String> = []
    var pending: [(name: String, schema: @Sendable () -> Schema)] = []

    mutating func insert(_ name: String, _ schema: @escaping @Sendable () -> Schema) {
      if self.names.insert(name).inserted { self.pending.append((name, schema)) }
    }
  }

  fileprivate func json(_ references: inout References) -> Value {
    switch self {
    case .any: return [:]
    case .boolean: return ["type": "boolean"]
    case .integer: return ["type": "integer"]
    case .number: return ["type": "number"]
    case .string: return ["type": "string"]
    case .oneOf(let names): return ["enum": .array(JSONArray(names.map(Value.string)))]
    case .array(let element): return ["type": "array", "items": element.json(&references)]
    case .object(let properties): return properties.json(&references)
    case .dictionary(let element):
      return ["type": "object", "additionalProperties": element.json(&references)]
    case .nullable(let schema):
      return ["anyOf": [schema.json(&references), ["type": "null"]]]
    case .variants(let variants):
      return ["oneOf": .array(JSONArray(variants.map { $0.json(&references) }))]
    case .limited(let schema, let limits): return limits.json(with: schema.json(&references))
    case .reference(let name, let schema):
      references.insert(name, schema)
      return ["$ref": .string("#/$defs/\(name)")]
    case .invalid(let problem): return ["$comment": .string(problem)]
    }
  }
}

extension [Schema.Property] {
  fileprivate func json(_ references: inout Schema.References) -> Value {
    [
      "type": "object",
      "properties": .object(JSONObject(self.map { ($0.name, $0.json(&references)) })),
      "required": .array(JSONArray(self.filter(\.isRequired).map { .string($0.name) })),
      "additionalProperties": false,
    ]
  }
}

extension Schema.Variant {
  fileprivate func json(_ references: inout Schema.References) -> Value {
    [Schema.Property(self.name, .object(self.values), self.summary)].json(&references)
  }
}

extension Schema.Property {
  fileprivate func json(_ references: inout Schema.References) -> Value {
    let json = self.schema.json(&references)
    guard case .object(let schema) = json, !self.summary.isEmpty else { return json }
    return .object(schema.adding("description", .string(self.summary)))
  }
}

extension JSONObject {
  fileprivate func adding(_ key: String, _ value: Value) -> JSONObject {
    JSONObject(self.map { ($0.key, $0.value) } + [(key, value)])
  }
}
