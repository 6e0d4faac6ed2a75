extension TimeZone {
  /// The zone with this name in the time zone database of the system.
  package static func named(_ name: String) throws(TimeZoneError) -> TimeZone {
    // Names of zones begin with a capital letter. The other files depend on the system
    // (`localtime`, `posixrules`), or count leap seconds (`right/Europe/Berlin`).
    guard let first = name.unicodeScalars.first, "A"..."Z" ~= first else { throw .unknown(name) }
    return try TimeZoneSettings.shared.database.zone(name)
  }

  /// The time zone of the system, as libc chooses it: by the variable TZ, or else by the file
  /// `/etc/localtime`; UTC without both.
  ///
  /// Uses the value of TZ at the start of the process: no thread can read a variable safely while
  /// another sets one. Each call examines the file.
  package static var system: TimeZone {
    get throws(TimeZoneError) {
      let settings = TimeZoneSettings.shared
      if let variable = settings.variable {
        return try TimeZone(variable: variable, settings.database)
      }
      return try TimeZone(localFile: "/etc/localtime", settings.database)
    }
  }

  /// The zone for a value of TZ.
  init(variable: String, _ database: TimeZoneDatabase) throws(TimeZoneError) {
    // A colon marks a name that is not a rule.
    let value = String(variable.hasPrefix(":") ? variable.dropFirst() : variable[...])
    if value.isEmpty {
      self = .utc
    } else if value.hasPrefix("/") {
      if let zone = try database.zone(atPath: value) {
        self = zone
      } else if let zone = try TimeZone(value, file: value) {
        self = zone
      } else {
        throw .unknown(value)
      }
    } else {
      do throws(TimeZoneError) {
        self = try database.zone(value)
      } catch {
        guard let rule = OffsetRule(value) else { throw error }
        let changes = OffsetChanges(initialOffset: rule.standardOffset, rule: rule)
        self.init(name: value, changes: changes)
      }
    }
  }

  /// The zone of a file such as `/etc/localtime`: usually a link to a file of the database, whose
  /// path contains the name of the zone, otherwise a copy of such a file.
  init(localFile file: String, _ database: TimeZoneDatabase) throws(TimeZoneError) {
    if let target = SmallFile.target(ofLink: file), let zone = try database.zone(atPath: target) {
      self = zone
    } else {
      self = try TimeZone(file, file: file) ?? .utc
    }
  }
}

extension TimeZoneDatabase {
  /// The zone whose file has this path, if the path leads into a time zone database.
  fileprivate func zone(atPath path: String) throws(TimeZoneError) -> TimeZone? {
    let components = path.split(separator: "/", omittingEmptySubsequences: false)
    guard let directory = components.lastIndex(of: "zoneinfo") else { return nil }
    do throws(TimeZoneError) {
      return try self.zone(components[(directory + 1)...].joined(separator: "/"))
    } catch {
      switch error {
      case .unknown, .missingDatabase: return nil
      case .unreadable, .damaged: throw error
      }
    }
  }
}
