import ImmutableJSON

/// The first line of a log: what it is a log of.
package struct LogHeader: Sendable {
  /// The name of the program, if it gave one.
  package var application: String?
  /// The domain of the store; `nil` for a reducer of the program.
  package var domain: String?
  /// The version of the schema of state and actions.
  package var version: Int
  /// The version that it had first, if it was migrated.
  package var migratedFrom: Int?
  /// 32 hexadecimal digits, by which it is known whatever its name is.
  package var origin: String
  /// The version of the library that made it.
  package var engine: String
  /// The options that a replay depends on.
  package var options: Value
  /// Whether several stores may write to it at once.
  package var isShared = false
}

extension LogHeader {
  /// The versions of the format: that of a log with one writer, and of a shared one.
  static var format: Int { 1 }
  static var sharedFormat: Int { 2 }

  static var originDigits: Int { 32 }

  static func origin(_ bits: [UInt8]) -> String {
    hexadecimal(bits.prefix(16))
  }

  var value: Value {
    var members = JSONObject()
    members["application"] = self.application.map(Value.string)
    members["domain"] = self.domain.map(Value.string)
    members["engine"] = .string(self.engine)
    members["format"] = .integer(Int64(self.isShared ? Self.sharedFormat : Self.format))
    members["migratedFrom"] = self.migratedFrom.map { .integer(Int64($0)) }
    members["options"] = self.options
    members["origin"] = .string(self.origin)
    members["version"] = .integer(Int64(self.version))
    return .object(members)
  }

  /// - Returns: `nil` for a value that is not a header of this format.
  init?(_ value: Value) {
    guard case .integer(let format)? = value["format"],
      format == Self.format || format == Self.sharedFormat,
      case .integer(let version)? = value["version"],
      case .string(let origin)? = value["origin"], origin.utf8.count == Self.originDigits,
      case .string(let engine)? = value["engine"]
    else { return nil }
    self.version = Int(version)
    self.isShared = format == Self.sharedFormat
    (self.origin, self.engine) = (origin, engine)
    self.options = value["options"] ?? .null
    if case .integer(let version)? = value["migratedFrom"] { self.migratedFrom = Int(version) }
    if case .string(let application)? = value["application"] { self.application = application }
    if case .string(let domain)? = value["domain"] { self.domain = domain }
  }
}

func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
  let digits = Array("0123456789abcdef".utf8)
  let text = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
  return String(decoding: text, as: UTF8.self)
}
