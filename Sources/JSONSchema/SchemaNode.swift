import ImmutableJSON

/// What one schema of a ``CompiledSchema`` demands of a value. Other schemas are named by their
/// index, since schemas may contain themselves.
///
/// Changed only while a schema is compiled. An object, because a check would copy a struct of this
/// size.
final class SchemaNode: @unchecked Sendable {
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

  /// Whether there is nothing but rules for kinds of values: no `values`, and no schemas for the
  /// same value.
  var isPlain = false

  /// The kinds whose values all fit.
  var freeKinds: SchemaKinds = []
}

extension SchemaNode {
  /// The schemas for the same value.
  var inPlace: [Int] {
    self.all + self.unions.flatMap(\.branches) + (self.not.map { [$0] } ?? [])
  }

  /// The schemas for the parts of a value.
  var parts: [Int] {
    var parts = self.elements?.prefix ?? []
    parts += [self.elements?.rest.schema, self.members?.others.schema].compactMap { $0 }
    return parts + (self.members?.properties.map(\.schema) ?? [])
  }

  /// Finds out what the rules leave out, for faster checks.
  func finish() {
    self.isPlain = self.values.isEmpty && self.inPlace.isEmpty
    guard self.isPlain else { return }
    self.freeKinds = self.kinds
    if self.numbers != nil { self.freeKinds.subtract([.integer, .fraction]) }
    if self.strings != nil { self.freeKinds.remove(.string) }
    if self.elements != nil { self.freeKinds.remove(.array) }
    if self.members != nil { self.freeKinds.remove(.object) }
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
  func replaceSchemas(_ replacement: (Int) -> Int) {
    self.all = self.all.map(replacement)
    self.not = self.not.map(replacement)
    for index in self.unions.indices {
      self.unions[index].branches = self.unions[index].branches.map(replacement)
    }
    if let elements {
      elements.prefix = elements.prefix.map(replacement)
      elements.rest = elements.rest.replacing(replacement)
    }
    if let members {
      for index in members.properties.indices {
        members.properties[index].schema = replacement(members.properties[index].schema)
      }
      members.others = members.others.replacing(replacement)
    }
  }
}

/// `minimum`, `maximum`, `exclusiveMinimum`, `exclusiveMaximum` and `multipleOf`.
final class NumberRules: @unchecked Sendable {
  enum Bound: Sendable {
    case min, max, aboveMin, belowMax
  }

  var bounds: [(bound: Bound, limit: Value)] = []
  var multiple: (Decimal, of: Value)?

  init() {}
}

/// `minLength`, `maxLength` and `pattern`.
final class StringRules: @unchecked Sendable {
  var length = CountRange()
  var pattern: Pattern?

  init() {}
}

/// `prefixItems`, `items`, `minItems`, `maxItems` and `uniqueItems`.
final class ElementRules: @unchecked Sendable {
  var prefix: [Int] = []
  /// The schema of the elements after the prefix.
  var rest: OtherParts = .any
  var count = CountRange()
  var isUnique = false

  init() {}
}

/// `properties`, `required`, `additionalProperties`, `minProperties` and `maxProperties`.
final class MemberRules: @unchecked Sendable {
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

  init() {}

  /// The beginnings and the lengths of the names of the properties, in their order.
  private var beginnings: [(prefix: UInt64, count: Int)] = []

  /// The properties that are required, a bit for each; `nil` if they are more than bits.
  private(set) var requiredBits: UInt64?

  /// The kinds of the properties whose values all fit.
  private(set) var freeKinds: [SchemaKinds] = []

  /// Finds out what makes checks faster.
  func finish(_ nodes: [SchemaNode]) {
    self.freeKinds = self.properties.map { nodes[$0.schema].freeKinds }
    self.beginnings = self.properties.map { ($0.key.bytes.prefix, $0.key.bytes.bytes.count) }
    guard self.properties.count <= UInt64.bitWidth else { return }
    self.requiredBits = self.properties.enumerated().reduce(0) {
      $1.element.isRequired ? $0 | 1 << $1.offset : $0
    }
  }

  /// The position in `properties` of a name; `nil` if it is another one.
  func position(of name: KeyBytes) -> Int? {
    // To compare a few names is faster than to hash one.
    let few = 16
    guard self.beginnings.count <= few else {
      return self.indices[StringKey(String(decoding: name.bytes, as: UTF8.self))]
    }
    for position in self.beginnings.indices {
      let (prefix, count) = self.beginnings[position]
      guard prefix == name.prefix, count == name.bytes.count else { continue }
      if count <= 8 || self.properties[position].key.bytes.bytes.hasSameBytes(as: name.bytes) {
        return position
      }
    }
    return nil
  }
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

  var isUnlimited: Bool {
    self.min == 0 && self.max == .max
  }

  /// Whether a text certainly has as many code points, which have one to four bytes each.
  func certainlyFits(bytes: Int) -> Bool {
    (bytes &+ 3) / 4 >= self.min && bytes <= self.max
  }
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
