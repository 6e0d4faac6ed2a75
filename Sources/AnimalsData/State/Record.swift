import ImmutableJSON
import Synchronization

/// The encoded JSON of a record.
private final class Encoded: Sendable {
  let value: Value

  init(_ value: Value) {
    self.value = value
  }
}

/// The fields of a record, in a box: copying a record, and comparing it with a copy, is O(1).
///
/// Each change of a state copies parts of its tables, so a record takes a single reference. The JSON
/// of a record is cached when it is first encoded.
struct Record<Fields: Hashable & Sendable>: Sendable {
  private final class Box: Sendable {
    let fields: Fields
    let encoded = AtomicLazyReference<Encoded>()

    init(_ fields: Fields) {
      self.fields = fields
    }
  }

  private var box: Box

  init(_ fields: Fields) {
    self.box = Box(fields)
  }

  /// The fields. Setting one creates a new box.
  var fields: Fields {
    get { self.box.fields }
    set { self.box = Box(newValue) }
  }
}

extension Record {
  /// Reflects a subject as a struct of the fields, so that `print` and `dump` show them.
  func mirror(of subject: Any) -> Mirror {
    Mirror(subject, children: Mirror(reflecting: self.fields).children, displayStyle: .struct)
  }
}

extension Record: Hashable {
  static func == (left: Record, right: Record) -> Bool {
    left.box === right.box || left.box.fields == right.box.fields
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(self.box.fields)
  }
}

extension Record: Codable where Fields: Codable {
  init(from decoder: any Decoder) throws {
    self.init(try Fields(from: decoder))
  }

  func encode(to encoder: any Encoder) throws {
    try self.fields.encode(to: encoder)
  }
}

extension Record: ValueRepresentable where Fields: Codable {
  func representation() throws -> Value {
    // If two threads encode it concurrently, both get the first result.
    try self.box.encoded.load()?.value
      ?? self.box.encoded.storeIfNil(Encoded(Value(encoding: self.fields))).value
  }
}
