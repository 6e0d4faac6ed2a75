import ImmutableJSON

extension SchemaDerivation {
  func appending(_ step: String) -> SchemaDerivation {
    SchemaDerivation(path: self.path + [step], findings: self.findings)
  }

  func derivedSchema<T: Decodable>(of type: T.Type) throws -> Schema {
    try self.derive(type).schema
  }

  /// The schema of a type, and a value of it; `nil` if it is being derived.
  func derive<T: Decodable>(_ type: T.Type) throws -> (schema: Schema, value: T?) {
    if let (schema, value) = scalar(type) { return (schema, value) }
    if Self.types.contains(ObjectIdentifier(type)) { return (self.reference(to: type), nil) }
    do {
      return try self.entering(type) {
        if let optional = type as? any DerivedOptional.Type {
          return (.nullable(try optional.wrappedSchema(self)), optional.none as? T)
        }
        if let stated = type as? any SchemaProviding.Type { return try self.stated(stated) }
        if let cases = type as? any CaseIterable.Type, let found = self.cases(cases, type) {
          return found
        }
        return try self.recorded(type)
      }
    } catch let error as Recursion {
      throw error
    } catch {
      throw self.failure(error, type)
    }
  }

  func entering<Result>(
    _ type: Any.Type, _ body: () throws -> Result
  ) throws -> Result {
    let count = self.findings.count.withLock { count in
      count += 1
      return count
    }
    guard Self.types.count < Self.maximumDepth, count <= Self.maximumCount else {
      throw Failure(
        "\(typeName(type)) is one of too many types in each other; "
          + "let a type around it be SchemaProviding")
    }
    return try Self.$types.withValue(Self.types + [ObjectIdentifier(type)], operation: body)
  }

  private func reference<T: Decodable>(to type: T.Type) -> Schema {
    // The compiler cannot know that the conformance belongs to no actor: decoding it here would
    // have failed.
    nonisolated(unsafe) let type = type
    return .reference(referenceName(type)) {
      Self.$types.withValue([]) { Self.schema(of: type) }
    }
  }

  private func stated<S: SchemaProviding, T>(_ type: S.Type) throws -> (Schema, T?) {
    let schema = type.schema
    if let problem = schema.problem { throw Failure(problem) }
    let samples = schema.samples.lazy.compactMap { try? $0.decode(S.self) }
    guard let value = S.example ?? samples.first else {
      throw Failure("it rejects samples of its schema; give it an `example`")
    }
    return (schema, value as? T)
  }

  /// An enum whose cases are known, if each is encoded as a string or as a case without values.
  private func cases<Cases: CaseIterable, T>(
    _ type: Cases.Type, _: T.Type
  ) -> (schema: Schema, value: T?)? {
    let cases = Array(type.allCases)
    let encoded = cases.compactMap { each in
      (each as? any Encodable).flatMap { try? Value(encodingBeyondLimits: $0) }
    }
    guard let first = cases.first as? T, encoded.count == cases.count else { return nil }
    let names = encoded.compactMap(\.string)
    if names.count == cases.count { return (.oneOf(names), first) }
    let variants = encoded.compactMap { value -> Schema.Variant? in
      guard case .object(let members) = value, members.count == 1, let member = members.first,
        member.value == [:]
      else { return nil }
      return Schema.Variant(member.key, [], "")
    }
    return variants.count == cases.count ? (.variants(variants), first) : nil
  }

  private func recorded<T: Decodable>(_ type: T.Type) throws -> (Schema, T?) {
    let record = ShapeRecord()
    do {
      let value: T
      do {
        value = try T(from: RecordingDecoder(record, self))
      } catch is Recursion {
        value = try T(from: RecordingDecoder(record, self, isEmpty: true))
      }
      return (record.isEmpty ? .object([]) : record.schema, value)
    } catch is Recursion {
      throw Failure("it contains itself, but neither as an optional nor in an array or dictionary")
    } catch {
      guard record.asksForCases else { throw error }
      throw Failure(
        "it is an enum whose cases may have associated values; let it be SchemaProviding")
    }
  }

  private func failure(_ error: any Error, _ type: Any.Type) -> Failure {
    self.findings.failure.withLock { first in
      if let first { return first }
      let shown = self.path.prefix(8)
      let more = shown.count < self.path.count ? "/…" : ""
      let place = self.path.isEmpty ? "" : "\(JSONPointer(Array(shown)))\(more): "
      let failure: Failure
      if error is Failure {
        failure = Failure("\(place)\(typeName(type)): \(error)")
      } else {
        let description = reason(error, in: typeName(type), after: .max)
        let sentence = description.hasSuffix(".") ? String(description.dropLast()) : description
        failure = Failure(
          "\(place)\(sentence); let it be SchemaProviding, or let it accept \"0\", 0 and false")
      }
      first = failure
      return failure
    }
  }
}

extension Optional: DerivedOptional where Wrapped: Decodable {
  fileprivate static func wrappedSchema(_ derivation: SchemaDerivation) throws -> Schema {
    try derivation.derive(Wrapped.self).schema
  }
}

private protocol DerivedOptional: ExpressibleByNilLiteral {
  static func wrappedSchema(_ derivation: SchemaDerivation) throws -> Schema
}

extension DerivedOptional {
  fileprivate static var none: Any { Self(nilLiteral: ()) }
}

/// The schema of a type that decoders decode by themselves, and a value of it.
private func scalar<T>(_ type: T.Type) -> (Schema, T?)? {
  func found(_ schema: Schema, _ value: Any) -> (Schema, T?) { (schema, value as? T) }
  if type == Bool.self { return found(.boolean, false) }
  if type == String.self { return found(.string, "0") }
  if type == Value.self { return found(.any, Value.null) }
  if let integer = type as? any FixedWidthInteger.Type { return found(.integer, integer.init(0)) }
  if let number = type as? any BinaryFloatingPoint.Type { return found(.number, number.init(0)) }
  return nil
}
