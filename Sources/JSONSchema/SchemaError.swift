import ImmutableJSON

/// A value does not have the expected shape.
package struct SchemaError: Error {
  private enum Problem {
    case part(String)
    /// The problem of a member that is unknown, with the quoted name.
    case unknownMember(String)
    /// Checking the value would take too much; whether it fits is unknown.
    case limit(String)
  }

  private let problem: Problem

  /// The steps from the part with the problem to the whole value, in reverse. They are added on the
  /// way to the caller, so that a successful check does not build them.
  private var steps: [String] = []

  package init(_ problem: String) {
    self.problem = .part(problem)
  }

  init(limit problem: String) {
    self.problem = .limit(problem)
  }

  init(_ error: WorkLimitError) {
    self.problem = .limit("the check takes \(error)")
  }

  /// The error of members that are unknown.
  ///
  /// - Parameters:
  ///   - names: The names of the known members.
  ///   - unknown: The names of the others; at least one.
  package init(unknown: [String], names: [String]) {
    // One that is a misspelling is the most likely mistake.
    let first = unknown.first { similarNameSuggestion($0, names) != nil } ?? unknown.first ?? ""
    var problem = "\(quoted(first))\(suggestion(first, names))"
    let others = unknown.filter { !$0.hasSameBytes(as: first) }
    if !others.isEmpty {
      problem += problem.hasSuffix("?") ? " Also unknown: " : "; also unknown: "
      problem += others.prefix(5).map(quoted).joined(separator: ", ")
    }
    self.problem = .unknownMember(problem)
  }
}

extension SchemaError {
  package static func missing(_ name: String) -> SchemaError {
    SchemaError("the member \(quoted(name)) is missing")
  }

  package static func mismatch(_ expected: String, _ value: Value) -> SchemaError {
    SchemaError("expected \(expected), found \(value.kindOrNumber)")
  }

  package static func unknownName(_ name: String, _ names: [String]) -> SchemaError {
    SchemaError("invalid value \(quoted(name))\(suggestion(name, names))")
  }

  /// The problem after its path: `options/state/value: expected an integer, found null`.
  ///
  /// - Parameter subject: The name of the whole value, with which the path begins.
  package func message(_ subject: String) -> String {
    let path = shortened(path: "\(subject)\(JSONPointer(self.steps.reversed()))")
    switch self.problem {
    case .part(let problem), .limit(let problem): return "\(path): \(problem)"
    case .unknownMember(let problem) where path == "options": return "unknown option \(problem)"
    case .unknownMember(let problem): return "\(path): unknown member \(problem)"
    }
  }

  /// Whether the check was given up, so that nothing is known about the value.
  package var isLimit: Bool {
    if case .limit = self.problem { true } else { false }
  }

  /// Whether the problem is in a part of the value.
  var isNested: Bool {
    !self.steps.isEmpty
  }

  /// The error with one more step on the way to the whole value.
  package func after(_ step: String) -> SchemaError {
    var error = self
    error.steps.append(step)
    return error
  }

  /// The error with the steps to the whole value.
  func after(_ pointer: JSONPointer) -> SchemaError {
    var error = self
    error.steps += pointer.tokens.reversed()
    return error
  }
}
