import ImmutableJSON
import Threading

/// What the option `strict` of a store checks: that a reducer and the functions of selectors are
/// pure, and that no function of the program is slow.
final class StrictMode: Sendable {
  /// How long a function may take, in milliseconds.
  private let limit: Int64
  /// The functions that were said to be slow.
  private let slow = Mutex<Set<String>>([])

  private init(limit: Int64) {
    self.limit = limit
  }
}

extension StrictMode {
  private static var members: [Schema.Property] {
    [.init("slow", .integer, isRequired: false, "How many milliseconds a function may take.")]
  }

  /// Reads the option `strict` of a store.
  ///
  /// - Returns: `nil` for none.
  static func read(_ option: Value?) throws(EngineError) -> StrictMode? {
    switch option {
    case nil, .bool(false): return nil
    case .bool(true): return StrictMode(limit: 100)
    case .object(let members):
      try Schema.object(Self.members).check(.object(members), "options/strict")
      let limit = members["slow"]?.integer ?? 100
      guard (1...3_600_000).contains(limit) else {
        throw EngineError(
          .invalidArgument, "options/strict/slow: \(limit) is not between 1 and 3600000")
      }
      return StrictMode(limit: limit)
    case let option?:
      throw EngineError(
        .invalidArgument,
        "options/strict: expected true or an object such as {\"slow\":100}, not "
          + option.kindWithArticle)
    }
  }

  /// Calls a function of the program, and warns if it is slow, once for each subject.
  func timing<Result>(_ subject: String, _ body: () throws -> Result) rethrows -> Result {
    let start = Clock.uptimeNanoseconds
    defer {
      let milliseconds = (Clock.uptimeNanoseconds - start) / 1_000_000
      if milliseconds > self.limit, self.slow.withLock({ $0.insert(subject).inserted }) {
        TraceOutput.warn(
          "\(subject) took \(milliseconds) ms; what calls it waits meanwhile (this is said once)")
      }
    }
    return try body()
  }

  /// Compares what two calls of a function returned.
  ///
  /// - Returns: Why the function is not pure; `nil` if the results are equal.
  func difference(_ first: Value, _ second: Value) -> String? {
    guard first != second else { return nil }
    var budget = WorkBudget()
    let patch = try? first.diff(to: second, &budget)
    let path = Self.firstPath(of: patch) ?? ""
    let values = [first, second].map { value in
      (try? value.get(JSONPointer(path))).map(Self.text) ?? "nothing"
    }
    let place = path.isEmpty ? "" : " at \(quoted(path))"
    return
      "it returned \(values[0])\(place) and, called again, \(values[1]); use only its arguments, "
      + "no clock, chance or state of its own"
  }

  private static func firstPath(of patch: Value?) -> String? {
    guard case .array(let operations) = patch, operations.count > 0 else { return nil }
    return operations[0]["path"]?.string
  }

  private static func text(_ value: Value) -> String {
    let text = String(decoding: value.utf8JSON.prefix(101), as: UTF8.self)
    return text.utf8.count > 100 ? "\(text.prefix(99))…" : text
  }
}

extension Schema.Property {
  /// The option of a store that checks the program's functions.
  static var strict: Schema.Property {
    .init(
      "strict", .any, isRequired: false,
      "Whether functions of the program are checked, or an object with \"slow\".")
  }
}

// MARK: Checked functions

extension StrictMode {
  /// The function of a selector, called twice.
  func checking(
    _ body: @escaping @Sendable ([Value], Value) throws -> Value, of selector: String
  ) -> @Sendable ([Value], Value) throws -> Value {
    { inputs, arguments in
      let first = try self.timing("the function of the selector \(quoted(selector))") {
        try body(inputs, arguments)
      }
      guard let difference = self.difference(first, try body(inputs, arguments)) else {
        return first
      }
      throw EngineError(.invalidSelector, "the function is not pure: \(difference)")
    }
  }

  /// A function of the program that is timed.
  func timed<Argument>(
    _ subject: String, _ body: @escaping @Sendable (Argument) -> Void
  ) -> @Sendable (Argument) -> Void {
    { argument in self.timing(subject) { body(argument) } }
  }
}
