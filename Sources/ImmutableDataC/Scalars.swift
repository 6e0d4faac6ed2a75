import CImmutableData
import ImmutableJSON
import StateEngine

// Conversion of C scalars, and of the kinds of values.

extension Value {
  /// Creates a value from a C double.
  init(real: Double) throws(EngineError) {
    guard real.isFinite else {
      throw EngineError(.invalidArgument, "JSON has no \(real); pass a finite number")
    }
    self = .real(real)
  }

  /// Creates a value from a C string.
  init(string: UnsafePointer<CChar>?, _ length: Int) throws {
    guard let string = String(validating: try requiredText(string, length, "text"), as: UTF8.self)
    else {
      throw EngineError(.invalidArgument, "the text is not UTF-8; pass it as UTF-8")
    }
    self = .string(string)
    if let error = self.exceededLimit { throw error }
  }

  var kind: imd_kind {
    switch self {
    case .null: IMD_NULL
    case .bool: IMD_BOOL
    case .integer: IMD_INTEGER
    case .real: IMD_REAL
    case .string: IMD_STRING
    case .array: IMD_ARRAY
    case .object: IMD_OBJECT
    }
  }
}
