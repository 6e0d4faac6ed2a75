import ImmutableJSON
import ProductSupport

/// A search for quakes by a text and times.
struct QuakeSearch: Sendable {
  private let text: ByteSearch
  private let times: Range<Timestamp>

  init(_ text: String, _ times: Range<Timestamp>) {
    self.text = ByteSearch(text.utf8)
    self.times = times
  }

  func includes(_ quake: Quake) -> Bool {
    guard self.times.contains(quake.time) else { return false }
    var name = quake.name
    return name.withUTF8 { self.text.end(in: $0) != nil }
  }
}
