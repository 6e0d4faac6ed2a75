/// Converts elements for the writer of another type of element.
final class ConvertingWriter<Element, Writer>: StreamWriter
where Element: Sendable, Writer: StreamWriter {
  private let base: Writer
  private let convert: @Sendable (Element) -> Writer.Element

  init(_ base: Writer, _ convert: @escaping @Sendable (Element) -> Writer.Element) {
    self.base = base
    self.convert = convert
  }

  var isBlocking: Bool {
    self.base.isBlocking
  }

  func waitForSpace() {
    self.base.waitForSpace()
  }

  func write(_ element: Element) -> Bool {
    self.base.write(self.convert(element))
  }

  func flush() {
    self.base.flush()
  }

  func finish() {
    self.base.finish()
  }
}
