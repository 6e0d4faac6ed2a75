import ImmutableJSON

/// A decoder that records what a type asks for, and returns values of the types.
struct RecordingDecoder: Decoder {
  let record: ShapeRecord
  let derivation: SchemaDerivation

  /// What is decoded; `nil` for made up values.
  let sample: Sample?

  /// Whether arrays and dictionaries are empty.
  let isEmpty: Bool

  /// A case of an enum in the form of Swift's synthesized `Codable`, or a part of one.
  struct Sample {
    let value: Value

    /// The steps to the associated values: the names of cases, with `_0` between them.
    let steps: ArraySlice<String>
  }

  init(
    _ record: ShapeRecord, _ derivation: SchemaDerivation, sample: Sample? = nil,
    isEmpty: Bool = false
  ) {
    self.record = record
    self.derivation = derivation
    self.sample = sample
    self.isEmpty = isEmpty
  }

  var codingPath: [any CodingKey] {
    self.derivation.path.map { AnyCodingKey.member($0) }
  }

  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    try self.record.setMembers()
    return KeyedDecodingContainer(RecordingKeyedContainer<Key>(decoder: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    RecordingUnkeyedContainer(decoder: self, element: try self.record.element())
  }

  func singleValueContainer() -> any SingleValueDecodingContainer {
    self
  }
}

extension RecordingDecoder {
  /// The decoder of a part.
  func part(_ record: ShapeRecord, _ step: String, _ sample: Sample? = nil) -> RecordingDecoder {
    RecordingDecoder(
      record, self.derivation.appending(step), sample: sample, isEmpty: self.isEmpty)
  }
}

extension RecordingDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool {
    self.record.isNullable = true
    return self.sample?.value == .null
  }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    let (schema, value) = try self.derivation.derive(type)
    try self.record.set(schema)
    if let sample { return try sample.value.decode(type) }
    guard let value else { throw SchemaDerivation.Recursion() }
    return value
  }
}

extension RecordingDecoder.Sample {
  /// The part of a member; `nil` if it is absent.
  func part(_ key: String) -> Self? {
    self.value[key].map {
      Self(value: $0, steps: self.steps.first == key ? self.steps.dropFirst() : [])
    }
  }
}

/// The elements of an array: one, or none.
struct RecordingUnkeyedContainer: UnkeyedDecodingContainer {
  let decoder: RecordingDecoder
  let element: ShapeRecord
  private(set) var currentIndex = 0

  init(decoder: RecordingDecoder, element: ShapeRecord) {
    self.decoder = decoder
    self.element = element
  }

  var codingPath: [any CodingKey] { self.decoder.codingPath }

  var count: Int? { self.decoder.isEmpty ? 0 : 1 }

  var isAtEnd: Bool { self.currentIndex >= self.count ?? 0 }

  mutating func decodeNil() throws -> Bool {
    try self.current().decodeNil()
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try self.next().decode(type)
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try self.next().container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try self.next().unkeyedContainer()
  }

  mutating func superDecoder() throws -> any Decoder {
    try self.next()
  }

  private mutating func next() throws -> RecordingDecoder {
    let decoder = try self.current()
    self.currentIndex += 1
    return decoder
  }

  private func current() throws -> RecordingDecoder {
    guard !self.isAtEnd else {
      throw SchemaDerivation.Failure(
        "it decodes an array of a certain length; let it be SchemaProviding")
    }
    return self.decoder.part(self.element, "*")
  }
}
