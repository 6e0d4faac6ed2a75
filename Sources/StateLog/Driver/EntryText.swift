/// The text of an entry that a driver keeps, and of a snapshot: a line of a file without its
/// checksums, which the hash of the log makes needless.
///
///     {"number":7,"time":1732000000000,"writer":3,"actions":[…]}
enum EntryText {
  /// - Parameter writer: 0 in a snapshot.
  static func make(
    _ kind: LineKind, number: Int, time: Int64, writer: Int = 0, _ data: [UInt8]
  ) -> [UInt8] {
    var head = "{\"number\":" + String(number) + ",\"time\":" + String(time) + ",\""
    if writer > 0 { head += "writer\":" + String(writer) + ",\"" }
    head += kind.rawValue + "\":"
    var text: [UInt8] = []
    text.reserveCapacity(head.utf8.count + data.count + 1)
    text += head.utf8
    text += data
    text.append(UInt8(ascii: "}"))
    return text
  }
}

extension LogLine {
  /// Parses the text of an entry that a driver has kept, or of a snapshot.
  ///
  /// - Returns: `nil` for anything that ``EntryText`` does not write.
  package init?(entry text: UnsafeRawBufferPointer) {
    guard text.last == UInt8(ascii: "}") else { return nil }
    let text = UnsafeRawBufferPointer(rebasing: text.dropLast())
    var scanner = LineScanner(text)
    guard scanner.skip("{\"number\":"), let number = scanner.integer(), number >= 0,
      scanner.skip(",\"time\":"), let time = scanner.integer(), scanner.skip(",\"")
    else { return nil }
    var writer = 0
    if scanner.skip("writer\":") {
      guard let found = scanner.integer(), found > 0, scanner.skip(",\"") else { return nil }
      writer = found
    }
    guard let kind = scanner.kind(), (writer > 0) == kind.isEntry else { return nil }
    self.init(
      kind, number: number, time: Int64(time), writer: writer,
      data: UnsafeRawBufferPointer(rebasing: text[scanner.offset...]))
  }
}
