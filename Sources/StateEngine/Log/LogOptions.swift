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
  /// In place of a path: of a log that a driver keeps.
  let address: LogAddress?
  /// How long a store waits for the driver, in milliseconds.
  let timeout: Int32?
  let durability: LogDurability
  let application: String?
  let version: Int
  var keep = LogKeep.all
  let isReadOnly: Bool
  /// Whether other stores may write to the file, too, and what this one is called there.
  var isShared = false
  var author: String?
  /// Whether no other store may have the file open; see ``LogSettings/isAlone``.
  var isAlone = false
  /// Whether the entries before a damage are enough.
  var recovers = false
  /// The number of the commit whose state a store shows that does not follow the log.
  var end: Int?
  /// What is added to the states of the file.
  var defaults = LogDefaults.none

  private static var schema: Schema {
    .object([
      .init("path", .string, "The path of the file."),
      .init(
        "durability", .oneOf(LogDurability.allNames), isRequired: false,
        "What a dispatch waits for."),
      .init("application", .string, isRequired: false, "A name that the file must have."),
      .init("version", .integer, isRequired: false, "The version of the state and the actions."),
      .init("keep", .any, isRequired: false, "Which entries stay when the file is compacted."),
      .init(
        "recover", .oneOf(["before damage"]), isRequired: false, "What is enough of a damaged file."
      ),
      .init("defaults", .any, isRequired: false, "Members that old states may lack."),
      .init("readOnly", .boolean, isRequired: false, "Whether it only reads the file."),
      .init(
        "shared", .boolean, isRequired: false, "Whether other stores may write to the file, too."),
      .init(
        "author", .string, isRequired: false, "A name of the store among those that share the file."
      ),
      .init("timeout", .integer, isRequired: false, "How long it waits for a server."),
      .init("at", .integer, isRequired: false, "The number of the commit whose state is read."),
    ])
  }

  /// - Returns: `nil` without the option.
  init?(_ option: Value?) throws(EngineError) {
    guard let given = option, given != .null else { return nil }
    let option: Value
    switch given {
    case .string: option = ["path": given]
    case .object: option = given
    default:
      throw EngineError(
        .invalidArgument,
        "options/log: expected the path of a file, or an object with the member \"path\", found "
          + "\(given.kindOrNumber)")
    }
    try Self.schema.check(option, "options/log")
    self.path = option["path"]?.string ?? ""
    self.address = LogAddress(self.path)
    self.timeout = try Self.timeout(option["timeout"], of: self.address)
    self.durability = LogDurability(option["durability"]) ?? .normal
    self.application = option["application"]?.string
    let version = option["version"]?.integer ?? 1
    guard (1...Int64(Int32.max)).contains(version) else {
      throw EngineError(
        .invalidArgument, "options/log/version: \(version) is not between 1 and 2147483647")
    }
    self.version = Int(version)
    self.keep = try LogKeep(option["keep"], "options/log/keep")
    self.isReadOnly = option["readOnly"]?.bool == true
    self.recovers = option["recover"] != nil
    guard !self.recovers || !self.isReadOnly else {
      throw EngineError(
        .invalidArgument,
        "options/log/recover: a store with \"readOnly\" does not change the file")
    }
    self.isShared = option["shared"]?.bool == true
    self.author = option["author"]?.string
    if self.address != nil { try self.checkDriver(option) } else { try self.checkSharing() }
    if let end = option["at"]?.integer {
      guard self.isReadOnly, end >= 0 else {
        throw EngineError(
          .invalidArgument,
          "options/log/at: it is the number of a commit, 0 or more, and needs \"readOnly\": true")
      }
      self.end = Int(end)
    }
    self.defaults = try LogDefaults(option["defaults"])
    guard !self.path.isEmpty, !self.path.utf8.contains(0) else {
      throw EngineError(
        .invalidArgument, "options/log: the path of the log is empty or has a NUL; name a file")
    }
  }
}

extension LogOptions {
  /// How long the name of an author may be, in bytes.
  private static var authorLimit: Int { 256 }

  private static func timeout(
    _ option: Value?, of address: LogAddress?
  ) throws(EngineError) -> Int32? {
    guard let option else { return nil }
    guard address != nil, let timeout = option.integer, (1...Int64(Int32.max)).contains(timeout)
    else {
      throw EngineError(
        .invalidArgument,
        "options/log/timeout: it is a number of milliseconds, 1 or more, for the log of a server")
    }
    return Int32(timeout)
  }

  /// A log of a driver is shared, and as durable as the server makes it.
  private mutating func checkDriver(_ option: Value) throws(EngineError) {
    for name in ["durability", "keep", "recover", "shared"] where option[name] != nil {
      throw EngineError(.invalidArgument, "options/log/\(name): only a file has this option")
    }
    self.isShared = !self.isReadOnly
    try self.checkAuthor()
  }

  private func checkAuthor() throws(EngineError) {
    guard (self.author?.utf8.count ?? 0) <= Self.authorLimit else {
      throw EngineError(
        .invalidArgument,
        "options/log/author: the name has more than \(Self.authorLimit) bytes")
    }
  }

  private func checkSharing() throws(EngineError) {
    guard self.isShared else {
      guard self.author == nil else {
        throw EngineError(
          .invalidArgument, "options/log/author: only a log with \"shared\" has authors")
      }
      return
    }
    try self.checkAuthor()
    let refusal: String? =
      if self.isReadOnly {
        "a store that only reads a shared log needs \"readOnly\" alone"
      } else if self.durability == .none {
        "a shared log cannot have the durability \"none\": other stores read what was written"
      } else {
        nil
      }
    if let refusal { throw EngineError(.invalidArgument, "options/log/shared: \(refusal)") }
  }
}

extension LogKeep {
  init(_ option: Value?, _ name: String) throws(EngineError) {
    if option == nil || option == "all" {
      self = .all
    } else if let count = option?.onlyMember("entries"), (0...Int64(Int32.max)).contains(count) {
      self = .entries(Int(count))
    } else if let count = option?.onlyMember("days"), (0...1_000_000).contains(count) {
      self = .days(Int(count))
    } else if let count = option?.onlyMember("bytes"), (0...1 << 50).contains(count) {
      self = .bytes(Int(count))
    } else {
      throw EngineError(
        .invalidArgument,
        "\(name): expected \"all\", {\"entries\": N}, {\"days\": N} or {\"bytes\": N}, found "
          + "\(option ?? .null)")
    }
  }
}

extension Value {
  /// The integer that an object has as its only member.
  fileprivate func onlyMember(_ name: String) -> Int64? {
    guard case .object(let members) = self, members.count == 1 else { return nil }
    return members[name]?.integer
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
      case .limit: .limit
      case .unavailable, .unauthenticated, .moved: .unavailable
      case .refused: .refused
      case .diverged, .trimmed: .diverged
      }
    self.init(code, error.message)
  }
}
