import ImmutableJSON
import Synchronization

/// The JSON of a record.
private final class Encoded: Sendable {
  let value: Value

  init(_ value: Value) {
    self.value = value
  }
}

/// The fields of a record, in a box: copied in O(1), and compared in O(1) with its own copies.
///
/// Tables of records are copied with each change of a state; so a record is a reference to copy, and
/// one that did not change is known to be equal without a look at its fields. Nor is it encoded again:
/// its JSON is kept from when it is first wanted.
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

  /// The fields. Setting one makes a new box.
  var fields: Fields {
    get { self.box.fields }
    set { self.box = Box(newValue) }
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
    // Of two threads that make it at once, both get that of the first.
    try self.box.encoded.load()?.value
      ?? self.box.encoded.storeIfNil(Encoded(Value(encoding: self.fields))).value
  }
}
