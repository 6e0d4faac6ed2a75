import ImmutableJSON

extension Schema {
  /// A few values of this shape. Together they have each name of a `oneOf`, each variant, and each
  /// optional member both present and absent; a variant or member without samples is only absent.
  /// Empty if the schema does not say enough to create one.
  var samples: [Value] {
    switch self {
    case .any, .reference, .invalid: []
    case .boolean: [false]
    case .integer: [0]
    case .number: [0.5]
    case .string: ["0"]
    case .oneOf(let names): names.map(Value.string)
    case .array(let element): [.array(JSONArray(element.samples))]
    case .dictionary(let element):
      [
        .object(
          JSONObject(element.samples.enumerated().map { ($0.offset.description, $0.element) }))
      ]
    case .nullable(let schema): schema.samples + [.null]
    case .variants(let variants):
      variants.flatMap { variant in
        Schema.object(variant.values).samples.map { [variant.name: $0] }
      }
    case .object(let properties): properties.samples
    case .limited(let schema, let limits):
      schema.samples.filter { (try? limits.compiled.check($0)) != nil }
    }
  }

  /// The schema of a part of a value; `nil` if there is no such part.
  func part(
    at path: some Collection<String>, _ references: Int = Schema.maximumReferences
  ) -> Schema? {
    switch self {
    case .nullable(let schema), .limited(let schema, _): return schema.part(at: path, references)
    case .reference(_, let schema):
      return references > 0 ? schema().part(at: path, references - 1) : nil
    default:
      guard let key = path.first else { return self }
      return self.part(key)?.part(at: path.dropFirst(), references)
    }
  }

  private func part(_ key: String) -> Schema? {
    switch self {
    case .array(let element), .dictionary(let element): element
    case .object(let properties): properties.first { $0.name == key }?.schema
    case .variants(let variants): variants.first { $0.name == key }.map { .object($0.values) }
    case .any, .boolean, .integer, .number, .string, .oneOf, .nullable, .limited, .reference,
      .invalid:
      nil
    }
  }
}

extension [Schema.Property] {
  /// Objects that cycle through the samples of their members.
  fileprivate var samples: [Value] {
    let members = self.map { (property: $0, samples: $0.schema.samples) }
    guard members.allSatisfy({ !$0.property.isRequired || !$0.samples.isEmpty }) else { return [] }
    let present = members.filter { !$0.samples.isEmpty }
    let count = present.map(\.samples.count).max() ?? 1
    var objects = (0..<count).map { index in
      JSONObject(present.map { ($0.property.name, $0.samples[index % $0.samples.count]) })
    }
    if self.contains(where: { !$0.isRequired }) {
      let required = present.filter(\.property.isRequired)
      objects.append(JSONObject(required.map { ($0.property.name, $0.samples[0]) }))
    }
    return objects.map(Value.object)
  }
}
