import Threading

/// The files of the IANA time zone database. Every function may be called from any thread.
package final class TimeZoneDatabase: Sendable {
  private let directories: [String]

  /// Cached zones, by name. A change of a zone's file is not seen while the zone is cached.
  ///
  /// The child of a fork uses the cache too. So forks wait while it is locked.
  private let zones = Mutex<[String: TimeZone]>([:])

  /// The maximum number of cached zones.
  private static let capacity = 64

  /// - Parameter directories: Where to look for a zone's file, in this order.
  package init(directories: [String]) {
    self.directories = directories
  }
}

extension TimeZoneDatabase {
  /// The zone with this name, for example `Europe/Berlin`. `UTC` needs no database.
  ///
  /// The file is read unless the zone is cached.
  package func zone(_ name: String) throws(TimeZoneError) -> TimeZone {
    guard name.isZoneName else { throw .unknown(name) }
    let cached = ForkLock.shared.excludingForks { self.zones.withLock { $0[name] } }
    if let cached { return cached }
    let zone = try self.read(name)
    ForkLock.shared.excludingForks {
      self.zones.withLock { zones in
        if zones.count >= Self.capacity { zones.removeAll() }
        zones[name] = zone
      }
    }
    return zone
  }

  private func read(_ name: String) throws(TimeZoneError) -> TimeZone {
    for directory in self.directories {
      if let zone = try TimeZone(name, file: "\(directory)/\(name)") { return zone }
    }
    if name == TimeZone.utc.name { return .utc }
    throw self.directories.contains(where: SmallFile.isDirectory)
      ? .unknown(name) : .missingDatabase(name, self.directories)
  }
}

extension TimeZone {
  /// Reads a time zone file. `nil` if the path does not lead to one.
  init?(_ name: String, file path: String) throws(TimeZoneError) {
    let bytes: [UInt8]?
    do {
      bytes = try SmallFile.contents(of: path)
    } catch {
      throw .unreadable(path, error.reason)
    }
    // The directories also contain lists and texts.
    guard let bytes, bytes.starts(with: "TZif".utf8) || bytes.isEmpty else { return nil }
    do {
      self.init(name: name, changes: try OffsetChanges(tzif: bytes))
    } catch {
      throw .damaged(path, error.reason)
    }
  }
}

extension String {
  /// Whether this has the form of a zone's name: components of ASCII letters, digits, `+`, `-`,
  /// `_` and `.`. No component begins with a dot, so that a path never leaves its directory.
  var isZoneName: Bool {
    self.utf8.count <= 255
      && self.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        .allSatisfy { component in
          component.first.map { $0 != UInt8(ascii: ".") } ?? false
            && component.allSatisfy(\.isInZoneName)
        }
  }
}

extension UInt8 {
  fileprivate var isInZoneName: Bool {
    switch Unicode.Scalar(self) {
    case "a"..."z", "A"..."Z", "0"..."9", "+", "-", "_", ".": true
    default: false
    }
  }
}
