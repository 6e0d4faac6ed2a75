import ImmutableJSON
import Threading

/// Derives schemas: decodes a type from a decoder that has no value, and records what is asked for.
///
/// The decoder returns `0`, `"0"`, `false`, nil, and arrays and dictionaries with one element, so
/// that `init(from:)` runs to its end.
struct SchemaDerivation: Sendable {
  struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
      self.description = description
    }
  }

  /// A value of a type is needed that is being derived. An array of such values is then empty.
  struct Recursion: Error {}

  /// The types that are being derived, the outermost first. The schema of a ``SchemaProviding``
  /// type derives others, so parameters cannot pass it on.
  @TaskLocal static var types: [ObjectIdentifier] = []

  static var maximumDepth: Int { 64 }
  static var maximumCount: Int { 1_000 }

  /// Where the type is in the one that is derived.
  let path: [String]
  let findings: Findings

  /// What one derivation has found.
  final class Findings: Sendable {
    let count = Mutex(0)
    /// The first failure, also of a part whose error its type has caught.
    let failure = Mutex<Failure?>(nil)
  }
}

// MARK: Entry points

extension SchemaDerivation {
  // Not kept: leak checkers do not recognize the tagged pointers of an indirect enum.
  static func schema<T>(of type: T.Type) -> Schema {
    do {
      guard let decodable = type as? any Decodable.Type else {
        throw Failure("\(typeName(type)) is not Decodable")
      }
      return try self.complete { try $0.derivedSchema(of: decodable) }
    } catch {
      return .invalid("cannot derive the schema of \(typeName(type)): \(error)")
    }
  }

  /// The associated values of a case of an enum with a synthesized `Codable`.
  ///
  /// - Parameters:
  ///   - sample: A value of the case.
  ///   - encoded: The sample as JSON.
  ///   - steps: The steps to the associated values in it.
  static func values<Cases: Codable>(
    of sample: Cases, _ encoded: Value, at steps: [String]
  ) throws -> [Schema.Property] {
    do {
      let record = ShapeRecord()
      try self.complete { derivation in
        try derivation.entering(Cases.self) {
          let sample = RecordingDecoder.Sample(value: encoded, steps: steps[...])
          _ = try Cases(from: RecordingDecoder(record, derivation, sample: sample))
        }
      }
      guard case .object(let values)? = record.schema.part(at: steps) else {
        throw Failure("its Codable is not the one that Swift synthesizes")
      }
      return values
    } catch {
      throw Failure(reason(error, in: "the sample"))
    }
  }

  private static func complete<Result>(
    _ body: (SchemaDerivation) throws -> Result
  ) throws -> Result {
    let derivation = SchemaDerivation(path: [], findings: Findings())
    let result = try body(derivation)
    if let failure = derivation.findings.failure.withLock({ $0 }) { throw failure }
    return result
  }
}
