import ProductSupport
import StateEngine

/// A day to search for quakes: the times from its start to the start of the next day, both
/// included.
public struct SearchDay: Hashable, Sendable {
  public let times: ClosedRange<Timestamp>

  /// - Parameters:
  ///   - date: A date (`2026-03-29`), or a time (`2026-03-29T08:30:00Z`) for the day that contains
  ///     it, as in RFC 3339.
  ///   - timeZone: The name of the time zone of the day in the IANA database, such as
  ///     `Europe/Berlin`; `nil` for that of the system.
  /// - Throws: `EngineError`: `invalidArgument`.
  public init(_ date: String, timeZone: String? = nil) throws(EngineError) {
    let dateOrTime: DateOrTime
    do {
      dateOrTime = try DateOrTime(date)
    } catch {
      throw EngineError(.invalidArgument, "\(error)")
    }
    do {
      self.init(dateOrTime, in: try .forSearch(named: timeZone))
    } catch {
      throw EngineError(.invalidArgument, "\(error)")
    }
  }

  init(_ date: DateOrTime, in zone: TimeZone) {
    let day =
      switch date {
      case .date(let date): zone.day(date)
      case .time(let time): zone.day(at: time)
      }
    self.times = day.lowerBound...day.upperBound
  }
}

extension TimeZone {
  /// The zone with a name in the database; the system's if `name` is `nil` or names that zone.
  static func forSearch(named name: String?) throws(TimeZoneError) -> TimeZone {
    guard let name else { return try .system }
    do throws(TimeZoneError) {
      return try .named(name)
    } catch {
      // The zone of the system may be a rule or a file, which the database does not contain.
      guard let system = try? TimeZone.system, system.name == name else { throw error }
      return system
    }
  }
}
