internal import CLinux
import Glibc
import ImmutableJSON

/// What a trace shows, where it is written, and what it hides.
struct TraceOptions: Sendable {
  /// What a trace shows.
  struct Kinds: Sendable {
    var bits: UInt8

    /// The kind of a line.
    init(ofLine name: String) {
      switch name {
      case "action": self = .actions
      case "rejected": self = .rejections
      case "selector": self = .selectors
      case "observer": self = .observers
      default: self = .effects
      }
    }

    init(bits: UInt8) {
      self.bits = bits
    }

    func contains(_ other: Self) -> Bool {
      self.bits & other.bits != 0
    }

    static var none: Self { Self(bits: 0) }
    static var actions: Self { Self(bits: 1) }
    /// The changes of actions, which are shown with them.
    static var changes: Self { Self(bits: 2) }
    static var selectors: Self { Self(bits: 4) }
    static var effects: Self { Self(bits: 8) }
    /// Actions that failed, which are shown with actions.
    static var rejections: Self { Self(bits: 16) }
    /// Calls of observers.
    static var observers: Self { Self(bits: 32) }
    /// What an inspector gets, besides commits.
    static var besidesActions: Self { Self(bits: 60) }
    static var all: Self { Self(bits: 47) }
  }

  /// Where the lines go if the program has set no function for them.
  enum Destination: Sendable {
    case nowhere, standardError
    case file(String)
  }

  var kinds = Kinds.all
  var destination = Destination.nowhere
  var redaction = Redaction()
}

extension TraceOptions {
  fileprivate static let names: [(name: String, kinds: Kinds)] = [
    ("actions", .actions), ("changes", Kinds(bits: 3)), ("selectors", .selectors),
    ("observers", .observers), ("effects", .effects), ("all", .all),
  ]

  fileprivate static func kinds(named name: some StringProtocol) -> Kinds? {
    self.names.first { $0.name.utf8.elementsEqual(name.utf8) }?.kinds
  }

  private static var list: Schema {
    .array(.oneOf(self.names.map(\.name)))
  }

  private static var members: [Schema.Property] {
    [
      .init("show", self.list, isRequired: false, "What to show."),
      .init("file", .nullable(.string), isRequired: false, "The file; null for none."),
      .init("redact", .array(.string), isRequired: false, "JSON Pointers to what is hidden."),
    ]
  }

  /// Reads the option `trace` of a store, which takes precedence over the environment.
  init(option: Value?, _ environment: TraceEnvironment) throws(EngineError) {
    self.init(environment)
    guard let option else { return }
    let file: Destination = environment.file.map { .file($0) } ?? .standardError
    switch option {
    case .bool(let isOn):
      self.kinds = .all
      self.destination = isOn ? file : .nowhere
    case .array:
      try Self.list.check(option, "options/trace")
      self.kinds = Self.kinds(option)
      self.destination = file
    case .object:
      try Schema.object(Self.members).check(option, "options/trace")
      self.kinds = option["show"].map(Self.kinds) ?? .all
      switch option["file"] {
      case .string(let path): self.destination = .file(path)
      case nil: self.destination = file
      default: self.destination = .nowhere
      }
      try self.redaction.add(option["redact"]?.strings ?? [], "options/trace/redact")
    default:
      throw EngineError(
        .invalidArgument,
        "options/trace: expected true, an array of names such as [\"actions\"], or an object such "
          + "as {\"show\":[\"actions\"],\"file\":\"trace.jsonl\"}, not \(option.kindWithArticle)")
    }
  }

  private static func kinds(_ names: Value) -> Kinds {
    names.strings.reduce(.none) { Kinds(bits: $0.bits | (self.kinds(named: $1)?.bits ?? 0)) }
  }
}

/// The variables of the environment that turn on the trace of each store.
struct TraceEnvironment {
  /// What to show: `actions,changes`; `nil` for nothing.
  var trace: String?
  var file: String?
  /// JSON Pointers, separated by commas.
  var redact: String?
  /// Whether these are UTF-8.
  var isRedactValid = true
}

extension TraceEnvironment {
  /// The variables of the process. A program with the rights of another user ignores them.
  static var current: Self {
    Self(
      trace: self.variable("IMMUTABLEDATA_TRACE"), file: self.variable("IMMUTABLEDATA_TRACE_FILE"),
      redact: self.variable("IMMUTABLEDATA_TRACE_REDACT"),
      isRedactValid: getenv("IMMUTABLEDATA_TRACE_REDACT").map {
        String(validatingCString: $0) != nil
      } ?? true)
  }

  /// A variable; `nil` if it is empty.
  static func variable(_ name: String) -> String? {
    guard let text = secure_getenv(name), text.pointee != 0 else { return nil }
    return String(cString: text)
  }
}

extension TraceOptions {
  /// Reads the environment. Mistakes in it are no errors: it may be that of another program.
  init(_ environment: TraceEnvironment) {
    self.init()
    if let pointers = environment.redact {
      do throws(EngineError) {
        try self.redaction.add(
          pointers.utf8.split(separator: UInt8(ascii: ",")).map { String(Substring($0)) },
          "IMMUTABLEDATA_TRACE_REDACT")
        guard environment.isRedactValid else {
          throw EngineError(.invalidArgument, "IMMUTABLEDATA_TRACE_REDACT: it is not UTF-8")
        }
      } catch {
        self.redaction = .everything
        TraceOutput.warn("\(error.message); all values are redacted")
      }
    }
    guard let trace = environment.trace else { return }
    var kinds = Kinds.none
    for part in trace.utf8.split(separator: UInt8(ascii: ",")) {
      let name = Substring(part).drop { $0 == " " }
      if let known = Self.kinds(named: name) {
        kinds.bits |= known.bits
      } else {
        TraceOutput.warn(
          "IMMUTABLEDATA_TRACE: unknown name \(quoted(String(name)))"
            + suggestion(String(name), Self.names.map(\.name)))
      }
    }
    guard kinds.bits != 0 else { return }
    self.kinds = kinds
    self.destination = environment.file.map { .file($0) } ?? .standardError
  }
}

extension Schema.Property {
  /// The option of a store that says what its trace shows.
  static var trace: Schema.Property {
    .init(
      "trace", .any, isRequired: false,
      "Whether to trace, a list of what, or an object with \"show\", \"file\" and \"redact\".")
  }
}
