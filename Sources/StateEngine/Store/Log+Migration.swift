import ImmutableJSON
import StateLog

extension Log {
  /// Brings a log of an older version to another one. Does nothing if there is no file, or if it
  /// has that version.
  ///
  /// Writes a new file: the base after the migrations of its state, and the entries after those of
  /// their actions. Then repeats it with the reducer, if there is one, and puts it in place of the
  /// old file, which stays as `PATH-v1`, or `PATH-v1-2` if there is one, and so on.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - version: The version that it gets.
  ///   - migrations: One from each version on, in any order.
  ///   - application: A name that the log must have.
  ///   - domains: Has the domain of the log.
  ///   - reducer: The reducer of the new version; `nil` for a log of a domain.
  /// - Throws: ``EngineError``: `invalidArgument` if the log is newer or of another application, a
  ///   migration is missing or doubled, or the state lacks a member that it had and that no
  ///   migration removes; what
  ///   a migration throws; `reducerFailed` if the reducer rejects an entry; as opening a store. The
  ///   log is then as before.
  public static func migrate(
    _ path: String, to version: Int, _ migrations: [LogMigration], application: String? = nil,
    _ domains: DomainRegistry? = nil, reducer: Reducer? = nil
  ) throws(EngineError) {
    try self.migrate(
      path, to: version, migrations, application, domains, reducer, SystemFiles(), isDomain: false)
  }

  /// - Parameters:
  ///   - files: Those of a simulation, without a reducer.
  ///   - isDomain: Whether the domain of the log migrates it.
  package static func migrate(
    _ path: String, to version: Int, _ migrations: [LogMigration], _ application: String?,
    _ domains: DomainRegistry?, _ reducer: Reducer?, _ files: any FileSystem, isDomain: Bool
  ) throws(EngineError) {
    try EngineError.catching {
      guard let header = try LogFile.header(path, files: files), header.version != version
      else { return }
      guard isDomain || header.domain == nil else {
        throw EngineError(
          .invalidArgument,
          "the log \(quoted(path)) is of a domain, which migrates it when a store "
            + "opens it")
      }
      let steps = try self.path(from: header.version, to: version, migrations, path)
      var settings = LogSettings()
      (settings.domain, settings.version) = (header.domain, header.version)
      (settings.application, settings.isAlone) = (application, true)
      let file = try LogFile.open(path, settings, files: files) { () throws(LogError) in .null }
      defer { file.close() }
      _ = try file.start(usesSnapshot: false)
      try file.entries { _ in }
      var rewriting = LogRewriting { line in
        let old = try line.value()
        let new = try old.migrated(steps)
        try old["state"]?.requireMembers(in: new["state"] ?? .null, steps, path)
        return (new, line.number)
      }
      rewriting.version = version
      rewriting.change = { line in
        guard line.kind == .actions, case .array(let actions) = try line.value() else { return nil }
        return .array(JSONArray(try actions.compactMap { try $0.migrated(as: steps) }))
      }
      var kept: String?
      rewriting.check = { new in
        if reducer != nil || header.domain != nil {
          try self.open(new, ["readOnly": true], domains, reducer).close()
        }
        kept = try file.keepOld()
      }
      do {
        _ = try file.rewrite(rewriting)
      } catch {
        if let kept { file.giveBack(kept) }
        throw error
      }
    }
  }

  private static func path(
    from version: Int, to next: Int, _ migrations: [LogMigration], _ path: String
  ) throws(EngineError) -> [LogMigration] {
    guard (1...Int(Int32.max)).contains(next) else {
      throw EngineError(
        .invalidArgument, "the version \(next) is not between 1 and \(Int32.max)")
    }
    guard version < next else {
      throw EngineError(
        .invalidArgument,
        "the log \(quoted(path)) has the version \(version), which is newer than \(next); use a "
          + "newer version of the program")
    }
    var steps: [LogMigration] = []
    for version in version..<next {
      let found = migrations.filter { $0.fromVersion == version }
      guard let step = found.first, found.count == 1 else {
        throw EngineError(
          .invalidArgument,
          "the log \(quoted(path)) needs a migration from the version \(version), and there "
            + (found.isEmpty ? "is none" : "are \(found.count)"))
      }
      steps.append(step)
    }
    return steps
  }
}

extension Domain {
  /// Migrates the log that a store is to open, and adds the version to the options.
  static func prepareLog(_ options: inout Value) throws(EngineError) {
    guard let log = try LogOptions(options["log"]), case .object(var members) = options else {
      return
    }
    // Only a file can be migrated.
    if !log.isReadOnly, log.address == nil {
      try Log.migrate(
        log.path, to: self.logVersion, self.logMigrations, log.application,
        DomainRegistry([self]), nil, SystemFiles(), isDomain: true)
    }
    var option: JSONObject = if case .object(let option)? = options["log"] { option } else { [:] }
    option["path"] = .string(log.path)
    option["version"] = option["version"] ?? .integer(Int64(self.logVersion))
    members["log"] = .object(option)
    options = .object(members)
  }
}

extension Value {
  /// Throws ``EngineError`` if a state lacks members that this one has, and that no migration
  /// removes.
  fileprivate func requireMembers(
    in new: Value, _ steps: [LogMigration], _ path: String
  ) throws(EngineError) {
    guard case .object(let old) = self else { return }
    var members: JSONObject = [:]
    if case .object(let object) = new { members = object }
    let removed = steps.flatMap(\.removes)
    let lost = old.map(\.key).filter { members[$0] == nil && !removed.contains($0) }
    guard !lost.isEmpty else { return }
    throw EngineError(
      .invalidArgument,
      "after its migration, the state of the log \(quoted(path)) has no member "
        + lost.prefix(3).map(quoted).joined(separator: ", ")
        + (lost.count > 3 ? " and \(lost.count - 3) more" : "")
        + "; return it too, or name it in the option \"removes\" of the migration")
  }

  fileprivate func migrated(as steps: [LogMigration]) throws -> Value? {
    var action: Value? = self
    for step in steps {
      action = try action.flatMap(step.action)
    }
    return action
  }

  /// The data of a base: the state, and those of the history. It has no savepoints, because a base
  /// is made when all groups have ended.
  fileprivate func migrated(_ steps: [LogMigration]) throws -> Value {
    guard case .object(var members) = self, let state = self["state"] else { return self }
    var states = StateChain(state, of: self["history"] ?? .null) { state in
      try steps.reduce(state) { try $1.state($0) }
    }
    let migrated = try states.converted
    members["state"] = migrated
    if case .object(var history)? = self["history"], case .array(let all)? = history["steps"] {
      var patches = PatchChain(migrated)
      var present = history["present"]?.integer ?? 0
      if let first = history["first"] {
        try states.apply(first)
        history["first"] = try patches.patch(to: states.converted)
      }
      var kept: JSONArray = []
      for (index, step) in all.enumerated() {
        if let step = try step.migratedStep(steps, &states, &patches) {
          kept.append(step)
        } else if index < history["present"]?.integer ?? 0 {
          present -= 1
        }
      }
      history["steps"] = .array(kept)
      history["present"] = .integer(present)
      history["open"] = try history["open"]?.migratedStep(steps, &states, &patches)
      members["history"] = .object(history)
    }
    return .object(members)
  }

  /// A step of the history; `nil` if all its actions were taken out.
  private func migratedStep(
    _ steps: [LogMigration], _ states: inout StateChain<Value>, _ patches: inout PatchChain
  ) throws -> Value? {
    guard case .object(var members) = self, case .array(let commits)? = self["commits"] else {
      return nil
    }
    let migrated = try commits.compactMap { try $0.migrated(steps, &states, &patches) }
    members["commits"] = .array(JSONArray(migrated))
    return migrated.isEmpty ? nil : .object(members)
  }

  /// A commit of the history; `nil` if its action was taken out.
  ///
  /// - Parameters:
  ///   - states: At the state before the commit; afterwards, at that after it.
  ///   - patches: The patches between migrated states.
  private func migrated(
    _ steps: [LogMigration], _ states: inout StateChain<Value>, _ patches: inout PatchChain
  ) throws -> Value? {
    guard case .object(var members) = self else { return nil }
    let action = try members["action"]?.migrated(as: steps)
    for name in ["before", "change"] {
      try states.apply(members[name])
      guard action != nil else { continue }
      let patch = try patches.patch(to: states.converted)
      members[name] = patch == [] ? nil : patch
    }
    members["action"] = action
    return action == nil ? nil : .object(members)
  }
}
