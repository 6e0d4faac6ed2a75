import CImmutableData
import ImmutableJSON
import StateEngine
import Threading

@_cdecl("imd_store_sync") @implementation
public func imd_store_sync(
  _ store: OpaquePointer?, _ timeout_ms: CInt, _ error: Out<imd_error>
) -> imd_status {
  attempt(error) { try stores.borrow(store).sync(milliseconds: timeout_ms) }
}

@_cdecl("imd_store_refresh") @implementation
public func imd_store_refresh(_ store: OpaquePointer?, _ error: Out<imd_error>) -> imd_status {
  attempt(error) { try stores.borrow(store).refresh() }
}

@_cdecl("imd_store_replay") @implementation
public func imd_store_replay(
  _ store: OpaquePointer?, _ progress: imd_log_progress?, _ context: UnsafeMutableRawPointer?,
  _ out: Out<UnsafeMutablePointer<CChar>?>, _ outLength: Out<Int>, _ error: Out<imd_error>
) -> imd_status {
  returnOwned(out, outLength, error) {
    Text.make(json: try stores.borrow(store).replay(progressFunction(progress, context)))
  }
}

@_cdecl("imd_store_replay_value") @implementation
public func imd_store_replay_value(
  _ store: OpaquePointer?, _ progress: imd_log_progress?, _ context: UnsafeMutableRawPointer?,
  _ out: Out<OpaquePointer?>, _ error: Out<imd_error>
) -> imd_status {
  returnOwned(out, error) { try stores.borrow(store).replay(progressFunction(progress, context)) }
}

@_cdecl("imd_log_verify") @implementation
public func imd_log_verify(
  _ path: UnsafePointer<CChar>?, _ progress: imd_log_progress?, _ context: UnsafeMutableRawPointer?,
  _ out: Out<UnsafeMutablePointer<CChar>?>, _ outLength: Out<Int>, _ error: Out<imd_error>
) -> imd_status {
  returnOwned(out, outLength, error) {
    let progress = progressFunction(progress, context)
    return Text.make(json: try Log.verify(requiredName(path, "path"), progress))
  }
}

@_cdecl("imd_log_entries") @implementation
public func imd_log_entries(
  _ path: UnsafePointer<CChar>?, _ options: UnsafePointer<CChar>?, _ length: Int,
  _ out: Out<UnsafeMutablePointer<CChar>?>, _ outLength: Out<Int>, _ error: Out<imd_error>
) -> imd_status {
  returnOwned(out, outLength, error) { Text.make(json: try entries(path, options, length)) }
}

@_cdecl("imd_log_entries_value") @implementation
public func imd_log_entries_value(
  _ path: UnsafePointer<CChar>?, _ options: UnsafePointer<CChar>?, _ length: Int,
  _ out: Out<OpaquePointer?>, _ error: Out<imd_error>
) -> imd_status {
  returnOwned(out, error) { try entries(path, options, length) }
}

private func entries(
  _ path: UnsafePointer<CChar>?, _ options: UnsafePointer<CChar>?, _ length: Int
) throws -> Value {
  try Log.entries(
    requiredName(path, "path"), optionalValue(options, length, .options) ?? [:])
}

@_cdecl("imd_log_snapshot") @implementation
public func imd_log_snapshot(
  _ path: UnsafePointer<CChar>?, _ out: Out<OpaquePointer?>, _ error: Out<imd_error>
) -> imd_status {
  returnOwned(out, error) { try Log.snapshot(requiredName(path, "path")) }
}

@_cdecl("imd_log_state_at") @implementation
public func imd_log_state_at(
  _ path: UnsafePointer<CChar>?, _ number: Int, _ reducer: imd_reducer?,
  _ context: UnsafeMutableRawPointer?, _ out: Out<OpaquePointer?>, _ error: Out<imd_error>
) -> imd_status {
  returnOwned(out, error) {
    try Log.state(
      at: number < 0 ? .max : number, of: requiredName(path, "path"), domains.get(),
      reducer: borrowedReducer(reducer, context))
  }
}

@_cdecl("imd_log_compact") @implementation
public func imd_log_compact(
  _ path: UnsafePointer<CChar>?, _ options: UnsafePointer<CChar>?, _ length: Int,
  _ reducer: imd_reducer?, _ context: UnsafeMutableRawPointer?, _ error: Out<imd_error>
) -> imd_status {
  attempt(error) {
    try Log.compact(
      requiredName(path, "path"), optionalValue(options, length, .options) ?? [:], domains.get(),
      reducer: borrowedReducer(reducer, context))
  }
}

@_cdecl("imd_log_redact") @implementation
public func imd_log_redact(
  _ path: UnsafePointer<CChar>?, _ predicate: imd_log_predicate?,
  _ predicateContext: UnsafeMutableRawPointer?, _ reducer: imd_reducer?,
  _ context: UnsafeMutableRawPointer?, _ redacted: Out<Int>, _ error: Out<imd_error>
) -> imd_status {
  returnCount(redacted, error) {
    let path = try requiredName(path, "path")
    let predicate = try required(predicate, "predicate")
    return try Log.redact(
      path, domains.get(), reducer: borrowedReducer(reducer, context)
    ) { entry in
      let answer = ValueHandle.withBorrowed(entry) { handle in
        CallScope.callback { predicate(predicateContext, handle) }
      }
      guard answer >= 0 else { throw EngineError.cancelled }
      return answer > 0
    }
  }
}

@_cdecl("imd_log_export") @implementation
public func imd_log_export(
  _ path: UnsafePointer<CChar>?, _ reducer: imd_reducer?, _ context: UnsafeMutableRawPointer?,
  _ out: Out<UnsafeMutablePointer<CChar>?>, _ outLength: Out<Int>, _ error: Out<imd_error>
) -> imd_status {
  returnOwned(out, outLength, error) {
    let (path, reducer) = (try requiredName(path, "path"), borrowedReducer(reducer, context))
    return Text.make(json: try Log.export(path, domains.get(), reducer: reducer))
  }
}

@_cdecl("imd_log_import") @implementation
public func imd_log_import(
  _ path: UnsafePointer<CChar>?, _ text: UnsafePointer<CChar>?, _ length: Int,
  _ domain: UnsafePointer<CChar>?, _ reducer: imd_reducer?, _ context: UnsafeMutableRawPointer?,
  _ error: Out<imd_error>
) -> imd_status {
  attempt(error) {
    let path = try requiredName(path, "path")
    let exported = try Value(reading: requiredJSON(text, length, .value), .value)
    let domain = try domain.map { try requiredName($0, "domain") }
    try Log.import(
      exported, to: path, domain: domain, domains.get(),
      reducer: borrowedReducer(reducer, context))
  }
}

@_cdecl("imd_log_migrate") @implementation
public func imd_log_migrate(
  _ path: UnsafePointer<CChar>?, _ version: CInt, _ migrations: UnsafePointer<imd_log_migration>?,
  _ count: Int, _ reducer: imd_reducer?, _ context: UnsafeMutableRawPointer?,
  _ error: Out<imd_error>
) -> imd_status {
  attempt(error) {
    let path = try requiredName(path, "path")
    let migrations = try count == 0 ? nil : required(migrations, "migrations")
    let steps = UnsafeBufferPointer(start: migrations, count: migrations == nil ? 0 : count)
      .map(LogMigration.init)
    try Log.migrate(
      path, to: Int(version), steps, domains.get(), reducer: borrowedReducer(reducer, context))
  }
}

extension LogMigration {
  /// The program keeps the context, and calls nothing else meanwhile.
  fileprivate init(_ migration: imd_log_migration) {
    let (state, action) = (
      CFunction(migration.state, migration.context, nil),
      CFunction(migration.action, migration.context, nil)
    )
    let version = Int(migration.from_version)
    self.init(fromVersion: version) { value in
      guard let next = try Self.call(state, value) else {
        throw EngineError(
          .reducerFailed,
          "the migration from the version \(version) returned no state; return the next one, or "
            + "the one that it was passed")
      }
      return next
    } action: { value in
      try Self.call(action, value)
    }
    guard var name = migration.removes else { return }
    while let text = name.pointee {
      self.removes.append(String(cString: text))
      name += 1
    }
  }

  private typealias Function =
    @convention(c) (
      UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<OpaquePointer?>?,
      UnsafeMutablePointer<imd_error>?
    ) -> imd_status

  private static func call(_ function: CFunction<Function?>, _ value: Value) throws -> Value? {
    guard let migrate = function.function else { return value }
    return try ValueHandle.withBorrowed(value) { handle in
      try ValueHandle.returned(by: "migration", failingWith: .reducerFailed) { next, error in
        CallScope.callback { migrate(function.context, handle, next, error) }
      }
    }
  }
}

private func progressFunction(
  _ progress: imd_log_progress?, _ context: UnsafeMutableRawPointer?
) -> LogProgress {
  { done, total in
    guard let progress else { return true }
    return CallScope.callback { progress(context, done, total) != 0 }
  }
}
