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
  /// A schema with more rules for its values.
  case limited(Schema, SchemaLimits)
  /// A type that contains itself, by its name. The function returns its schema.
  case reference(String, @Sendable () -> Schema)
  /// A schema that cannot be derived, and why. A store of its domain cannot be opened.
  case invalid(String)
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
}
