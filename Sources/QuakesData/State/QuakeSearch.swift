import ImmutableJSON
import ProductSupport

/// A search for quakes by a text and a day.
struct QuakeSearch: Sendable {
  private let text: ByteSearch
  private let times: ClosedRange<Timestamp>

  init(_ text: String, _ day: SearchDay) {
    self.text = ByteSearch(text.utf8)
    self.times = day.times
  }

  func includes(_ quake: Quake) -> Bool {
    guard self.times.contains(quake.time) else { return false }
    var name = quake.name
    return name.withUTF8 { self.text.end(in: $0) != nil }
  }
}
