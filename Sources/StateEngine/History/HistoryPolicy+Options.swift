import ImmutableData
import ImmutableJSON

extension Schema.Property {
  /// The option of a store whose actions can be undone.
  static var history: Schema.Property {
    .init(
      "history", .any, isRequired: false,
      "Whether actions can be undone: true, or an object. False by default.")
  }
}

extension HistoryPolicy {
  private static var schema: Schema {
    .object([
      .init("limit", .integer, isRequired: false, "How many steps can be undone."),
      .init("bytes", .integer, isRequired: false, "How many bytes only the past keeps alive."),
      .init(
        "paths", .array(.string), isRequired: false, "The parts of the state that undo changes."),
      .init("undoable", .array(.string), isRequired: false, "The types of actions that are steps."),
      .init("ignore", .array(.string), isRequired: false, "The types of those that are not."),
      .init(
        "group",
        .object([
          .init("within", .integer, isRequired: false, "Milliseconds."),
          .init("meta", .string, isRequired: false, "The name of a member of meta."),
        ]), isRequired: false, "Which neighbours are one step."),
    ])
  }

  /// Reads the option `history`.
  ///
  /// - Parameters:
  ///   - encoding: Reads the commits of the store.
  ///   - base: The policy without options.
  init?(
    _ option: Value?, of encoding: any CommitEncoding.Type, _ base: HistoryPolicy
  ) throws(EngineError) {
    switch option {
    case nil, .bool(false)?: return nil
    case .bool(true)?: self = base
    case .object?: self = try base.with(option ?? [:], encoding)
    case let other?:
      throw EngineError(
        .invalidArgument,
        "options/history: expected true, false or an object, found \(other.kindWithArticle)")
    }
  }

  private func with(
    _ options: Value, _ encoding: any CommitEncoding.Type
  ) throws(EngineError) -> HistoryPolicy {
    try Self.schema.check(options, "options/history")
    var policy = self
    policy.limit = try options.count("limit", upTo: 1_048_576) ?? policy.limit
    policy.bytes = try options.count("bytes", upTo: .max)
    if policy.bytes != nil, policy.size == nil {
      throw EngineError(
        .invalidArgument,
        "options/history/bytes: the size of a state is known only in a store with your own "
          + "reducer; use \"limit\"")
    }
    if let paths = options["paths"]?.strings {
      guard encoding is ModelEncoding<ValueModel>.Type else {
        throw EngineError(
          .invalidArgument,
          "options/history/paths: a state has parts only in a store with your own reducer")
      }
      policy = try HistoryPaths(paths).restricting(policy)
    }
    let undoable = options["undoable"]?.strings.map(ActionPattern.init)
    let ignored = options["ignore"]?.strings.map(ActionPattern.init) ?? []
    if undoable != nil || !ignored.isEmpty {
      policy.isStep = { commit in
        guard let action = try? encoding.action(of: commit) else { return undoable == nil }
        return (undoable.map { ActionPattern.any(of: $0, matches: action) } ?? true)
          && !ActionPattern.any(of: ignored, matches: action)
      }
    }
    if let group = options["group"] { policy.joins = try self.joins(group, encoding) }
    return policy
  }

  private func joins(
    _ group: Value, _ encoding: any CommitEncoding.Type
  ) throws(EngineError) -> @Sendable (AnyCommit, AnyCommit) -> Bool {
    let within = try group.count("within", upTo: 86_400_000, of: "options/history/group")
    switch (within.map(Int64.init), group["meta"]?.string) {
    case (let within?, nil):
      return { [haveSameType] last, next in
        guard let start = last.context?.time, let end = next.context?.time, start <= end else {
          return false
        }
        return end - start <= within && haveSameType(last, next)
      }
    case (nil, let name?):
      return { last, next in
        guard let start = try? encoding.action(of: last)["meta"]?[name],
          let end = try? encoding.action(of: next)["meta"]?[name]
        else { return false }
        return start == end
      }
    default:
      throw EngineError(
        .invalidArgument,
        "options/history/group: it has either a member \"within\", a number of milliseconds, or a "
          + "member \"meta\", the name of a member of \"meta\"")
    }
  }
}

extension Value {
  /// A member of the option that is a count, from 1.
  fileprivate func count(
    _ name: String, upTo limit: Int, of option: String = "options/history"
  ) throws(EngineError) -> Int? {
    guard let count = self[name]?.integer.map(Int.init) else { return nil }
    guard (1...limit).contains(count) else {
      let range = limit == .max ? "1 or more" : "between 1 and \(limit)"
      throw EngineError(.invalidArgument, "\(option)/\(name): \(count) is not \(range)")
    }
    return count
  }
}
