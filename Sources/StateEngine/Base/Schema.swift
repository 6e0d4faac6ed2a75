import ImmutableJSON

/// The shape of a JSON value: of a state, a payload, arguments or an output.
///
/// A subset of JSON Schema that suffices for Swift types. ``json`` describes it to callers, and
/// `check` validates their input.
public indirect enum Schema: Sendable {
  case any
  case boolean
  case integer
  case number
  case string
  case oneOf([String])
  case array(Schema)
  /// An object with these members and no others.
  case object([Property])
  /// An object with any keys, like Swift's `[String: Element]`.
  case dictionary(Schema)
  case nullable(Schema)
  /// A case of a Swift enum with a synthesized `Codable`: an object with one member, which has the
  /// name of the case and the associated values by label.
  case variants([Variant])
}

extension Schema {
  /// A member of an object.
  public struct Property: Sendable {
    public let name: String
    public let schema: Schema
    public let isRequired: Bool
    public let summary: String

    /// The name, for the members of a value.
    let key: ObjectKey

    public init(_ name: String, _ schema: Schema, isRequired: Bool = true, _ summary: String) {
      self.name = name
      self.key = ObjectKey(name)
      self.schema = schema
      self.isRequired = isRequired
      self.summary = summary
    }
  }

  /// A case of an enum.
  public struct Variant: Sendable {
    public let name: String
    public let values: [Property]
    public let summary: String

    public init(_ name: String, _ values: [Property], _ summary: String) {
      self.name = name
      self.values = values
      self.summary = summary
    }
  }

  /// The schema as JSON Schema, draft 2020-12.
  public var json: Value {
    switch self {
    case .any: [:]
    case .boolean: ["type": "boolean"]
    case .integer: ["type": "integer"]
    case .number: ["type": "number"]
    case .string: ["type": "string"]
    case .oneOf(let names): ["enum": .array(JSONArray(names.map(Value.string)))]
    case .array(let element): ["type": "array", "items": element.json]
    case .object(let properties):
      [
        "type": "object",
        "properties": .object(JSONObject(properties.map { ($0.name, $0.json) })),
        "required": .array(
          JSONArray(properties.filter(\.isRequired).map { .string($0.name) })),
        "additionalProperties": false,
      ]
    case .dictionary(let element): ["type": "object", "additionalProperties": element.json]
    case .nullable(let schema): ["anyOf": [schema.json, ["type": "null"]]]
    case .variants(let variants): ["oneOf": .array(JSONArray(variants.map(\.json)))]
    }
  }
}

extension Schema.Variant {
  fileprivate var json: Value {
    Schema.object([Schema.Property(self.name, .object(self.values), self.summary)]).json
  }
}

extension Schema.Property {
  fileprivate var json: Value {
    guard case .object(let schema) = self.schema.json, !self.summary.isEmpty else {
      return self.schema.json
    }
    let summary: (String, Value) = ("description", .string(self.summary))
    return .object(JSONObject(schema.map { ($0.key, $0.value) } + [summary]))
  }
}
