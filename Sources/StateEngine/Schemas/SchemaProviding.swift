import ImmutableJSON

/// A type that states its schema, because it cannot be derived.
///
/// Enums whose cases have associated values need this: Swift has no list of their cases. So do
/// types that reject some values of what they decode, such as a string that must be an address.
///
/// ```swift
/// enum Outcome: Codable, SchemaProviding {
///   case success
///   case failure(reason: String)
///
///   static var schema: Schema {
///     .variants(
///       of: Self.self,
///       [(.success, "It succeeded."), (.failure(reason: ""), "It failed.")],
///       ["/failure/reason": "A sentence."])
///   }
/// }
/// ```
public protocol SchemaProviding: Codable {
  static var schema: Schema { get }

  /// A value of the type. By default, one is decoded from a sample of the schema: `"0"`, 0, false,
  /// or an array of one of these. A type that rejects them has to give one.
  static var example: Self? { get }
}

extension SchemaProviding {
  public static var example: Self? { nil }
}

extension Schema {
  /// The schema of what a type decodes, found by decoding a value of it and recording what it asks
  /// for.
  ///
  /// Structs, optionals, arrays, dictionaries with `String` keys and enums that are `CaseIterable`
  /// are derived. Other types state their schema as ``SchemaProviding``. A type that contains
  /// itself is a `$ref`. If a part cannot be derived, a store of the domain cannot be opened; the
  /// error names the part and its type.
  ///
  /// - Parameters:
  ///   - type: A type that conforms to `Decodable`.
  ///   - details: Summaries and limits of members, by JSON Pointer. The step `*` leads to the
  ///     elements of an array or dictionary: `["/notes/*/title": "The title."]`.
  public init<T>(of type: T.Type, _ details: KeyValuePairs<String, Detail> = [:]) {
    self = SchemaDerivation.schema(of: type).adding(details)
  }

  /// The members of a type: ``init(of:_:)`` of a struct.
  public static func properties<T>(
    of type: T.Type, _ details: KeyValuePairs<String, Detail> = [:]
  ) -> [Property] {
    let schema = Schema(of: type, details)
    if case .object(let properties) = schema { return properties }
    let problem = schema.problem ?? "\(typeName(type)) is not decoded from an object"
    return [Property("", .invalid(problem), "")]
  }

  /// The schema of an enum whose cases may have associated values, as Swift's synthesized `Codable`
  /// encodes it.
  ///
  /// - Parameters:
  ///   - type: The enum.
  ///   - cases: A value of each case, and a sentence about the case. The names and types of the
  ///     associated values are derived; those of the value do not matter otherwise.
  ///   - details: Summaries and limits of associated values, by JSON Pointer:
  ///     `["/failure/reason": "A sentence."]`.
  public static func variants<Cases: Codable>(
    of type: Cases.Type, _ cases: [(Cases, String)],
    _ details: KeyValuePairs<String, Detail> = [:]
  ) -> Schema {
    do {
      return Schema.variants(
        try cases.map { sample, summary in
          let encoded = try Value(encodingBeyondLimits: sample)
          guard case .object(let members) = encoded, members.count == 1,
            let name = members.first?.key
          else { throw SchemaDerivation.Failure("\(sample) is not encoded as a case") }
          let values = try SchemaDerivation.values(of: sample, encoded, at: [name])
          return Variant(name, values, summary)
        }
      ).adding(details)
    } catch {
      return .invalid("\(typeName(type)): \(error)")
    }
  }
}
