import ImmutableJSON
import StateLog

extension Schema.Property {
  /// The option of a store that keeps a log.
  static var log: Schema.Property {
    .init(
      "log", .any, isRequired: false,
      "The path of a file that keeps all actions, or an object with the member path. None by "
        + "default.")
  }
}

/// The option `log` of a store.
struct LogOptions {
  let path: String
  let durability: LogDurability
  let application: String?
  let version: Int
  let isReadOnly: Bool

  private static var schema: Schema {
    .object([
      .init("path", .string, "The path of the file."),
      .init(
        "durability", .oneOf(LogDurability.allNames), isRequired: false,
        "What a dispatch waits for."),
      .init("application", .string, isRequired: false, "A name that the file must have."),
      .init("version", .integer, isRequired: false, "The version of the state and the actions."),
      .init("readOnly", .boolean, isRequired: false, "Whether it only reads the file."),
    ])
  }

  /// - Returns: `nil` without the option.
  init?(_ option: Value?) throws(EngineError) {
    guard let option, option != .null else { return nil }
    if case .string(let path) = option {
      self.path = path
      (self.durability, self.application, self.version) = (.normal, nil, 1)
      self.isReadOnly = false
    } else {
      try Self.schema.check(option, "options/log")
      self.path = option["path"]?.string ?? ""
      self.durability = LogDurability(option["durability"]) ?? .normal
      self.application = option["application"]?.string
      let version = option["version"]?.integer ?? 1
      guard (1...Int64(Int32.max)).contains(version) else {
        throw EngineError(
          .invalidArgument, "options/log/version: \(version) is not between 1 and 2147483647")
      }
      self.version = Int(version)
      self.isReadOnly = option["readOnly"]?.bool == true
    }
    guard !self.path.isEmpty, !self.path.utf8.contains(0) else {
      throw EngineError(
        .invalidArgument, "options/log: the path of the log is empty or has a NUL; name a file")
    }
  }
}

extension EngineError {
  init(_ error: LogError) {
    let code: Code =
      switch error.code {
      case .io: .io
      case .corrupt: .corrupt
      case .invalid: .invalidArgument
      case .closed: .closed
      case .timeout: .timeout
      }
    self.init(code, error.message)
  }
}
