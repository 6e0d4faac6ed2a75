import ImmutableJSON

// Access to options that have been checked against a schema.

extension Value {
  var bool: Bool? {
    if case .bool(let bool) = self { bool } else { nil }
  }

  var integer: Int64? {
    switch self {
    case .integer(let integer): integer
    case .real(let real): Int64(equalTo: real)
    default: nil
    }
  }

  package var string: String? {
    if case .string(let string) = self { string } else { nil }
  }

  var strings: [String] {
    if case .array(let elements) = self { elements.compactMap(\.string) } else { [] }
  }

  /// The member `capacity` of an object of options.
  var capacityOption: Int? {
    get throws(EngineError) {
      guard let capacity = self["capacity"]?.integer else { return nil }
      guard (1...1_048_576).contains(capacity) else {
        throw EngineError(
          .invalidArgument, "options/capacity: \(capacity) is not between 1 and 1048576")
      }
      return Int(capacity)
    }
  }
}

extension RawRepresentable<String> where Self: CaseIterable {
  /// The case that an option names; `nil` if the option is missing.
  init?(_ option: Value?) {
    guard let name = option?.string else { return nil }
    self.init(rawValue: name)
  }

  static var allNames: [String] {
    self.allCases.map(\.rawValue)
  }
}
