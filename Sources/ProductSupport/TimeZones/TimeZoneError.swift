import ImmutableJSON

/// Why a time zone cannot be used.
package enum TimeZoneError: Error, Hashable {
  /// The database has no zone with this name.
  case unknown(String)
  /// The zone with this name was looked for in these directories, and none of them exists.
  case missingDatabase(String, [String])
  /// The file with this path cannot be read, for this reason.
  case unreadable(String, String)
  /// The content of the file with this path is not valid, for this reason.
  case damaged(String, String)
}

extension TimeZoneError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unknown(let name):
      "unknown time zone \(quoted(name)); expected a name of the IANA time zone database, for "
        + "example \"Europe/Berlin\""
    case .missingDatabase(let name, let directories):
      "cannot find the time zone \(quoted(name)): this system has no time zone database in "
        + "\(directories.prefix(2).map(quoted).joined(separator: " or ")); install the package "
        + "tzdata"
    case .unreadable(let path, let reason):
      "cannot read the time zone file \(quoted(path)): \(reason)"
    case .damaged(let path, let reason):
      "the time zone file \(quoted(path)) is damaged: \(reason); install the package tzdata again"
    }
  }
}
