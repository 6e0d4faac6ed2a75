import ImmutableJSON

/// When an effect of a rule begins, what it has to do with others of its key, and how long it may
/// take. Times are in milliseconds, of the clock of the store.
public struct EffectSchedule: Sendable {
  /// What a new effect does if others of its key are in flight. Those that wait are in flight, too.
  public enum Mode: String, CaseIterable, Sendable {
    /// It cancels them.
    case latest
    /// It is cancelled itself.
    case first
    /// It begins when they have ended.
    case queue
  }

  /// How often a rejected effect, or one that took too long, is tried again.
  public struct Retry: Sendable {
    /// How often it is tried again at most.
    public var times: Int
    /// The pause before the second attempt.
    public var delay: Int32
    /// The factor by which each pause is longer than the one before.
    public var factor: Double
    /// The longest pause.
    public var max: Int32

    public init(times: Int, delay: Int32 = 0, factor: Double = 1, max: Int32 = .max) {
      (self.times, self.delay, self.factor, self.max) = (times, delay, factor, max)
    }

    /// The pause after a number of attempts.
    func pause(after attempts: Int) -> Int32 {
      var pause = Double(self.delay)
      for _ in 1..<Swift.max(attempts, 1) where pause < Double(self.max) { pause *= self.factor }
      return pause < Double(self.max) ? Int32(pause) : self.max
    }
  }

  /// The key of the effect in its store, shared by those of all names; `nil` for none.
  public var key: String?
  public var mode: Mode
  /// How long the effect waits before it begins. With ``Mode/latest`` this is a debounce.
  public var delay: Int32
  /// How long the effect waits after the last one of its key with an interval has begun: a
  /// throttle, whose first effect begins immediately. Needs a key.
  public var interval: Int32
  /// How long each attempt may take; `nil` for as long as it likes.
  public var timeout: Int32?
  public var retry: Retry?

  public init(
    key: String? = nil, mode: Mode = .latest, delay: Int32 = 0, interval: Int32 = 0,
    timeout: Int32? = nil, retry: Retry? = nil
  ) {
    (self.key, self.mode, self.delay, self.interval) = (key, mode, delay, interval)
    (self.timeout, self.retry) = (timeout, retry)
  }
}

extension EffectSchedule {
  static var members: [Schema.Property] {
    [
      .init("key", .string, isRequired: false, "What it has in common with others."),
      .init(
        "mode", .oneOf(Mode.allNames), isRequired: false, "What it does to others of its key."),
      .init("delay", .integer, isRequired: false, "How long it waits before it begins."),
      .init("interval", .integer, isRequired: false, "How often effects of its key begin."),
      .init("timeout", .integer, isRequired: false, "How long an attempt may take."),
      .init("retry", .any, isRequired: false, "How often it is tried again."),
    ]
  }

  private static var retryMembers: [Schema.Property] {
    [
      .init("times", .integer, "How often it is tried again."),
      .init("delay", .integer, isRequired: false, "The first pause."),
      .init("factor", .number, isRequired: false, "How much longer each pause is."),
      .init("max", .integer, isRequired: false, "The longest pause."),
    ]
  }

  /// Reads the schedule of an effect whose members have been checked.
  ///
  /// - Returns: `nil` if the effect has none.
  static func read(_ value: Value, _ path: String) throws(EngineError) -> EffectSchedule? {
    guard Self.members.contains(where: { value[$0.name] != nil }) else { return nil }
    var schedule = EffectSchedule()
    schedule.key = value["key"]?.string
    if schedule.key == nil, let name = ["mode", "interval"].first(where: { value[$0] != nil }) {
      throw EngineError(
        .invalidArgument, "\(path)/\(name): it is about effects of one key; add \"key\"")
    }
    if let mode = Mode(value["mode"]) { schedule.mode = mode }
    schedule.delay = try value.milliseconds("delay", path) ?? 0
    schedule.interval = try value.milliseconds("interval", path) ?? 0
    schedule.timeout = try value.milliseconds("timeout", path)
    if let retry = value["retry"] { schedule.retry = try Self.retry(retry, "\(path)/retry") }
    return schedule
  }

  private static func retry(_ value: Value, _ path: String) throws(EngineError) -> Retry {
    try Self.retryMembers.check(value, path)
    var retry = Retry(times: Int(value["times"]?.integer ?? 0))
    guard (0...1000).contains(retry.times) else {
      throw EngineError(
        .invalidArgument, "\(path)/times: \(retry.times) is not between 0 and 1000")
    }
    retry.delay = try value.milliseconds("delay", path) ?? 0
    retry.max = try value.milliseconds("max", path) ?? .max
    if let factor = value["factor"]?.number {
      guard factor >= 1, factor.isFinite else {
        throw EngineError(.invalidArgument, "\(path)/factor: it is less than 1")
      }
      retry.factor = factor
    }
    return retry
  }
}

extension Value {
  fileprivate func milliseconds(
    _ member: String, _ path: String
  ) throws(EngineError) -> Int32? {
    guard let number = self[member]?.integer else { return nil }
    guard let milliseconds = Int32(exactly: number), milliseconds >= 0 else {
      throw EngineError(
        .invalidArgument,
        "\(path)/\(member): \(number) is not a number of milliseconds between 0 and 2147483647")
    }
    return milliseconds
  }

  fileprivate var number: Double? {
    switch self {
    case .integer(let integer): Double(integer)
    case .real(let real): real
    default: nil
    }
  }
}
