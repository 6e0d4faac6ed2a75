import ImmutableJSON

/// What one schema of a ``CompiledSchema`` demands of a value. Other schemas are named by their
/// index, since schemas may contain themselves.
struct SchemaNode: Sendable {
  /// The kinds that `type` allows; none for the schema `false`.
  var kinds = SchemaKinds.all
  var numbers: NumberRules?
  var strings: StringRules?
  var elements: ElementRules?
  var members: MemberRules?

  /// The values of `enum` and `const`, each of which must have the value.
  var values: [AllowedValues] = []

  /// The schemas of `$ref` and `allOf`.
  var all: [Int] = []
  /// `anyOf` and `oneOf`.
  var unions: [SchemaUnion] = []
  var not: Int?

  /// The kinds that the schema allows with those on the same value. A superset: a value of such a
  /// kind may not fit.
  var possibleKinds = SchemaKinds.all
}

extension SchemaNode {
  /// The schemas for the same value.
  var inPlace: [Int] {
    self.all + self.unions.flatMap(\.branches) + (self.not.map { [$0] } ?? [])
  }

  /// The only schema that this one consists of, a `$ref` for example.
  var alias: Int? {
    guard self.all.count == 1, self.kinds == .all, self.numbers == nil, self.strings == nil,
      self.elements == nil, self.members == nil, self.values.isEmpty, self.unions.isEmpty,
      self.not == nil
    else { return nil }
    return self.all.first
  }

  /// Replaces each schema that this one names.
  mutating func replaceSchemas(_ replacement: (Int) -> Int) {
    self.all = self.all.map(replacement)
    self.not = self.not.map(replacement)
    for index in self.unions.indices {
      self.unions[index].branches = self.unions[index].branches.map(replacement)
    }
    if var elements {
      elements.prefix = elements.prefix.map(replacement)
      elements.rest = elements.rest.replacing(replacement)
      self.elements = elements
    }
    if var members {
      for index in members.properties.indices {
        members.properties[index].schema = replacement(members.properties[index].schema)
      }
      members.others = members.others.replacing(replacement)
      self.members = members
    }
  }
}

/// `minimum`, `maximum`, `exclusiveMinimum`, `exclusiveMaximum` and `multipleOf`.
struct NumberRules: Sendable {
  enum Bound: Sendable {
    case min, max, aboveMin, belowMax
  }

  var bounds: [(bound: Bound, limit: Value)] = []
  var multiple: (Decimal, of: Value)?
}

/// `minLength`, `maxLength` and `pattern`.
struct StringRules: Sendable {
  var length = CountRange()
  var pattern: Pattern?
}

/// `prefixItems`, `items`, `minItems`, `maxItems` and `uniqueItems`.
struct ElementRules: Sendable {
  var prefix: [Int] = []
  /// The schema of the elements after the prefix.
  var rest: OtherParts = .any
  var count = CountRange()
  var isUnique = false
}

/// `properties`, `required`, `additionalProperties`, `minProperties` and `maxProperties`.
struct MemberRules: Sendable {
  struct Property: Sendable {
    let name: String
    let key: ObjectKey
    var schema: Int
    var isRequired = false
  }

  var properties: [Property] = []
  /// The positions in `properties`.
  var indices: [StringKey: Int] = [:]
  /// Those in `required` that `properties` lacks.
  var otherRequired: [(name: String, key: ObjectKey)] = []
  /// The schema of the members that `properties` lacks.
  var others: OtherParts = .any
  var count = CountRange()
}

/// The parts of an array or object that are not listed.
enum OtherParts: Sendable {
  case any
  case none
  case schema(Int)

  fileprivate func replacing(_ replacement: (Int) -> Int) -> OtherParts {
    if case .schema(let schema) = self { .schema(replacement(schema)) } else { self }
  }

  /// The schema, if there is one.
  var schema: Int? {
    if case .schema(let schema) = self { schema } else { nil }
  }
}

/// The least and the greatest count of something.
struct CountRange: Sendable {
  var min = 0
  var max = Int.max
}

/// The values of `enum` or `const`.
struct AllowedValues: Sendable {
  let list: [Value]
  let strings: Set<StringKey>
  /// Those that are not strings.
  let others: [Value]

  init(_ list: [Value]) {
    self.list = list
    self.strings = Set(
      list.compactMap { if case .string(let text) = $0 { StringKey(text) } else { nil } })
    self.others = list.filter { if case .string = $0 { false } else { true } }
  }

  var kinds: SchemaKinds {
    self.list.reduce(into: []) { $0.formUnion(SchemaKinds(of: $1)) }
  }
}

/// `anyOf` or `oneOf`.
struct SchemaUnion: Sendable {
  var branches: [Int]
  /// Whether a value must fit one branch only.
  let isExclusive: Bool

  /// The member that says to which branch an object belongs; `nil` without one.
  var tag: Tag?

  /// A member that is a string in all branches, and a different one in each.
  struct Tag: Sendable {
    let name: String
    let key: ObjectKey
    let branches: [StringKey: Int]
  }

  var keyword: String {
    self.isExclusive ? "oneOf" : "anyOf"
  }
}
