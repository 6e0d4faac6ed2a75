import CImmutableData
import StateEngine
import StateLog
import Threading

/// A driver of the program, and the logs that it has open. Its functions are called as callbacks.
final class CLogDriver: LogDriver, @unchecked Sendable {
  fileprivate let functions: imd_log_driver

  init(_ driver: imd_log_driver) throws(EngineError) {
    guard driver.size == MemoryLayout<imd_log_driver>.size else {
      throw EngineError(
        .invalidArgument,
        "driver: its size is \(driver.size), not \(MemoryLayout<imd_log_driver>.size); set it to "
          + "sizeof(imd_log_driver), and build it with the header of this library")
    }
    guard driver.open != nil, driver.append != nil, driver.read != nil,
      driver.get_snapshot != nil, driver.put_snapshot != nil, driver.trim != nil,
      driver.close != nil
    else {
      throw EngineError(.invalidArgument, "driver: a function is NULL; set all of them")
    }
    self.functions = driver
  }

  func open(
    _ opening: LogOpening, changed: @escaping @Sendable (Int) -> Void,
    _ answer: @escaping LogAnswering
  ) -> any DriverConnection {
    let watch = logWatches.create(CLogWatch(changed))
    let call = logCalls.create(CLogCall(answer))
    let strings = CStrings()
    var log: UnsafeMutableRawPointer?
    withText(opening.header) { header, headerLength in
      withText(opening.base) { base, baseLength in
        let opening = imd_log_opening(
          address: strings.copy(opening.address), header: header, header_length: headerLength,
          base: base, base_length: baseLength, timeout_ms: opening.timeout)
        withUnsafePointer(to: opening) { opening in
          CallScope.callback {
            self.functions.open?(self.functions.context, opening, logEngine, watch, &log, call)
          }
        }
      }
    }
    return CLogConnection(self, log, watch)
  }
}

/// A log that a driver of the program has open.
private final class CLogConnection: DriverConnection, @unchecked Sendable {
  private let driver: CLogDriver
  private let log: UnsafeMutableRawPointer?
  private let watch: OpaquePointer?

  init(_ driver: CLogDriver, _ log: UnsafeMutableRawPointer?, _ watch: OpaquePointer?) {
    (self.driver, self.log, self.watch) = (driver, log, watch)
  }

  private func call(
    _ answer: @escaping LogAnswering, _ body: (imd_log_driver, OpaquePointer?) -> Void
  ) {
    let call = logCalls.create(CLogCall(answer))
    CallScope.callback { body(self.driver.functions, call) }
  }

  func append(
    _ entries: [NewLogEntry], after place: LogPlace?, _ answer: @escaping LogAnswering
  ) {
    let strings = CStrings()
    // One text, so that all have an address at the same time.
    let text = entries.flatMap(\.text)
    text.withUnsafeBytes { text in
      var start = text.assumingMemoryBound(to: CChar.self).baseAddress
      let entries = entries.map { entry in
        defer { start = start.map { $0 + entry.text.count } }
        return imd_log_entry(
          place: imd_log_place(), text: start, length: entry.text.count,
          origin: strings.copy(entry.origin.digits), counter: Int64(entry.counter), author: nil)
      }
      entries.withUnsafeBufferPointer { entries in
        withPlace(place) { place in
          self.call(answer) {
            $0.append?(self.log, place, entries.baseAddress, entries.count, $1)
          }
        }
      }
    }
  }

  func read(after place: LogPlace, limit: Int, holds: Bool, _ answer: @escaping LogAnswering) {
    withPlace(place) { place in
      self.call(answer) { $0.read?(self.log, place, limit, holds ? 1 : 0, $1) }
    }
  }

  func snapshot(_ answer: @escaping LogAnswering) {
    self.call(answer) { $0.get_snapshot?(self.log, $1) }
  }

  func put(
    snapshot: [UInt8], at place: LogPlace, replacing old: Int, _ answer: @escaping LogAnswering
  ) {
    withText(snapshot) { text, length in
      withPlace(place) { place in
        self.call(answer) { $0.put_snapshot?(self.log, Int64(old), place, text, length, $1) }
      }
    }
  }

  func trim(to number: Int, _ answer: @escaping LogAnswering) {
    self.call(answer) { $0.trim?(self.log, Int64(number), $1) }
  }

  func close() {
    CallScope.callback { self.driver.functions.close?(self.log) }
    _ = logWatches.remove(self.watch)
  }
}

/// What a driver calls when a log may have new entries.
final class CLogWatch: Sendable {
  let changed: @Sendable (Int) -> Void

  init(_ changed: @escaping @Sendable (Int) -> Void) {
    self.changed = changed
  }
}

/// A call that a driver answers.
final class CLogCall: Sendable {
  private let answer: LogAnswering

  init(_ answer: @escaping LogAnswering) {
    self.answer = answer
  }

  /// Answers it. An answer that is wrong is a refusal, so that nobody waits for another one.
  ///
  /// - Throws: ``EngineError`` that says what is wrong.
  func resolve(_ answer: UnsafePointer<imd_log_answer>?) throws(EngineError) {
    do {
      self.answer(try LogAnswer(required(answer, "answer").pointee))
    } catch {
      self.answer(LogAnswer(.refused, "the driver has answered wrongly: \(error.message)"))
      throw error
    }
  }
}

// MARK: Conversions

private func withText<Result>(
  _ text: [UInt8]?, _ body: (UnsafePointer<CChar>?, Int) -> Result
) -> Result {
  guard let text else { return body(nil, 0) }
  return (text + [0]).withUnsafeBytes {
    body($0.assumingMemoryBound(to: CChar.self).baseAddress, text.count)
  }
}

private func withPlace(_ place: LogPlace?, _ body: (UnsafePointer<imd_log_place>?) -> Void) {
  guard let place else { return body(nil) }
  var converted = imd_log_place()
  converted.number = Int64(place.number)
  withUnsafeMutableBytes(of: &converted.hash) { hash in
    withUnsafeBytes(of: place.hash.bytes) { hash.copyMemory(from: $0) }
  }
  withUnsafePointer(to: converted, body)
}

private func checked(_ number: Int64, _ name: String) throws(EngineError) -> Int {
  guard (0...Int64(LogLine.maxInteger)).contains(number) else {
    throw EngineError(.invalidArgument, "\(name) is \(number)")
  }
  return Int(number)
}

extension LogPlace {
  fileprivate init(_ place: imd_log_place) throws(EngineError) {
    self.init(
      number: try checked(place.number, "the number of a place"),
      hash: withUnsafeBytes(of: place.hash) { LogHash($0) })
  }
}

extension LogAnswer {
  fileprivate init(_ answer: imd_log_answer) throws(EngineError) {
    guard let outcome = LogOutcome(answer.outcome) else {
      throw EngineError(.invalidArgument, "the outcome is \(answer.outcome.rawValue)")
    }
    self.init(outcome, answer.message.map { String(decoding: bytes(of: $0), as: UTF8.self) } ?? "")
    self.head = try LogPlace(answer.head)
    self.place = try LogPlace(answer.place)
    self.counter = try checked(answer.counter, "a counter")
    self.id = answer.id.map { String(decoding: bytes(of: $0), as: UTF8.self) } ?? ""
    if answer.text != nil {
      self.text = Array(try requiredText(answer.text, answer.length, "the text"))
    }
    guard answer.count > 0 else { return }
    let first = try required(answer.entries, "entries")
    for entry in UnsafeBufferPointer(start: first, count: answer.count) {
      self.entries.append(try KeptLogEntry(entry))
    }
  }
}

extension KeptLogEntry {
  fileprivate init(_ entry: imd_log_entry) throws(EngineError) {
    let text = try requiredText(entry.text, entry.length, "the text of an entry")
    guard let origin = LogOrigin(bytes(of: try required(entry.origin, "the origin of an entry")))
    else {
      throw EngineError(.invalidArgument, "an origin does not have 32 hexadecimal digits")
    }
    self.init(
      try LogPlace(entry.place), Array(text), origin,
      counter: try checked(entry.counter, "a counter"))
  }
}

extension LogOutcome {
  fileprivate init?(_ outcome: imd_log_outcome) {
    switch outcome {
    case IMD_LOG_DONE: self = .done
    case IMD_LOG_MOVED: self = .moved
    case IMD_LOG_REPEATED: self = .repeated
    case IMD_LOG_ABSENT: self = .absent
    case IMD_LOG_TRIMMED: self = .trimmed
    case IMD_LOG_DIVERGED: self = .diverged
    case IMD_LOG_UNAVAILABLE: self = .unavailable
    case IMD_LOG_UNANSWERED: self = .unanswered
    case IMD_LOG_UNAUTHENTICATED: self = .unauthenticated
    case IMD_LOG_REFUSED: self = .refused
    default: return nil
    }
  }
}
