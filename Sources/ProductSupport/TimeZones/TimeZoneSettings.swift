#if canImport(Darwin)
  import Darwin
#endif
import Threading

/// What the process was told about time zones when it started.
struct TimeZoneSettings: Sendable {
  /// The value of TZ; `nil` if it was not set.
  let variable: String?

  let database: TimeZoneDatabase

  static var shared: Self {
    // A fork must not leave the child with a global that is being initialized.
    ForkLock.shared.excludingForks { settings }
  }
}

private let settings = TimeZoneSettings(
  variable: initialVariable("TZ"),
  database: TimeZoneDatabase(
    directories: [initialVariable("TZDIR")].compactMap { $0 } + [
      "/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/usr/share/lib/zoneinfo", "/etc/zoneinfo",
    ]))

/// The value of an environment variable when the process started.
///
/// `getenv` would crash if another thread called `setenv` at the same time. Linux keeps a copy of
/// the initial variables, which `setenv` does not change.
private func initialVariable(_ name: String) -> String? {
  #if canImport(Darwin)
    return getenv(name).map { String(cString: $0) }
  #else
    guard let bytes = try? SmallFile.contents(of: "/proc/self/environ") else { return nil }
    let prefix = Array("\(name)=".utf8)
    return bytes.split(separator: 0).first { $0.starts(with: prefix) }
      .map { String(decoding: $0.dropFirst(prefix.count), as: UTF8.self) }
  #endif
}
