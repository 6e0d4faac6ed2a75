import ImmutableJSON
import JSONSchema

/// Rules for the values of a schema, as keywords of JSON Schema: `{"minimum": 0}`.
public struct SchemaLimits: Sendable {
  let keywords: JSONObject
  let compiled: CompiledSchema
}

extension Schema {
  /// This schema with more rules for its values.
  ///
  /// - Parameter keywords: An object of [keywords of JSON Schema](docs/schemas.md), such as
  ///   `["minLength": 1]`, without references. Null stays valid if the schema is nullable and the
  ///   keywords are about numbers, text, arrays or objects. With other keywords, a store of the
  ///   domain cannot be opened.
  public func limited(_ keywords: Value) -> Schema {
    guard case .object(let members) = keywords else {
      return .invalid(
        "the limits \(keywords) are not an object; write, for example, "
          + #"["minLength": 1]"#)
    }
    guard !members.contains(where: { $0.key.hasPrefix("$") }) else {
      return .invalid("the limits \(keywords) have a reference; write what it refers to")
    }
    do {
      return .limited(
        self, SchemaLimits(keywords: members, compiled: try CompiledSchema(keywords)))
    } catch {
      return .invalid(error.message("the limits"))
    }
  }
}

extension SchemaLimits {
  /// The schema `json` with these limits.
  func json(with json: Value) -> Value {
    guard case .object(let schema) = json, !schema.contains(where: { self.keywords[$0.key] != nil })
    else { return ["allOf": [json, .object(self.keywords)]] }
    return .object(JSONObject([schema, self.keywords].joined().map { ($0.key, $0.value) }))
  }
}
