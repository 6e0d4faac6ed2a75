import StateLog
import Threading

/// A server that keeps logs in memory, and answers a driver at once. Its faults are those that a
/// test asks for.
package final class SimulatedLogServer: LogDriver, @unchecked Sendable {
  package enum Call: Sendable {
    case open, append, read, snapshot, put, trim
  }

  /// What happens to a call.
  package enum Fault: Sendable {
    case none
    /// It does not arrive, and the driver knows it.
    case isLost
    /// It is done, and its answer does not arrive.
    case answerIsLost
    /// It arrives after so many further calls of any client.
    case isLate(by: Int)
    /// It is refused for good.
    case isRefused
  }

  package final class Log: @unchecked Sendable {
    package let id: String
    package let header: [UInt8]
    package var entries: [KeptLogEntry] = []
    package var counters: [LogOrigin: Int] = [:]
    package var snapshot: (place: LogPlace, text: [UInt8])
    /// All entries, also those that were removed.
    package var archive: [KeptLogEntry] = []
    /// The place of the last entry that was removed.
    package var start = LogPlace()
    /// Who keeps others from appending, and how many of their appends it has kept off.
    package var holder: ObjectIdentifier?
    fileprivate var keptOff = 0

    init(id: String, header: [UInt8], base: [UInt8]) {
      (self.id, self.header, self.snapshot) = (id, header, (LogPlace(), base))
    }

    package var head: LogPlace {
      self.entries.last?.place ?? self.start
    }
  }

  private struct State {
    var logs: [String: Log] = [:]
    var connections: [Weak] = []
    var late: [(calls: Int, body: () -> Void)] = []
    var fault: ((Call) -> Fault)?
    var onCall: ((Call) -> Void)?
  }

  private struct Weak {
    weak var connection: SimulatedConnection?
  }

  private let state = Mutex(State())
  fileprivate let planted: PlantedServerFault?

  package init(planted: PlantedServerFault? = nil) {
    self.planted = planted
  }
}

extension SimulatedLogServer {
  /// Sets what happens to calls.
  package func setFault(_ fault: (@Sendable (Call) -> Fault)?) {
    self.state.withLock { $0.fault = fault }
  }

  /// Sets what is called before each call is carried out. It may use the server.
  package func setOnCall(_ onCall: (@Sendable (Call) -> Void)?) {
    self.state.withLock { $0.onCall = onCall }
  }

  package func log(_ address: String) -> Log? {
    self.state.withLock { $0.logs[address] }
  }

  package func open(
    _ opening: LogOpening, changed: @escaping @Sendable (Int) -> Void,
    _ answer: @escaping LogAnswering
  ) -> any DriverConnection {
    let connection = SimulatedConnection(self, opening.address, changed)
    self.perform(.open, answer) {
      self.state.withLock { state in
        state.connections.removeAll { $0.connection == nil }
        state.connections.append(Weak(connection: connection))
        let log: Log
        if let found = state.logs[opening.address] {
          log = found
        } else if let base = opening.base {
          log = Log(
            id: String(repeating: "0", count: 31) + String(state.logs.count % 10),
            header: opening.header, base: base)
          state.logs[opening.address] = log
        } else {
          return LogAnswer(.absent, "there is no such log")
        }
        var answer = LogAnswer(.done)
        (answer.id, answer.text, answer.head) = (log.id, log.header, log.head)
        return answer
      }
    }
    return connection
  }

  /// Carries out a call, unless a fault prevents it.
  fileprivate func perform(
    _ call: Call, _ answer: LogAnswering, _ body: @escaping () -> LogAnswer
  ) {
    let (fault, onCall) = self.state.withLock { ($0.fault, $0.onCall) }
    onCall?(call)
    let happens = fault?(call) ?? .none
    for body in self.takeLate() { body() }
    let lost = LogAnswer(call == .append ? .unanswered : .unavailable, "the connection was lost")
    switch happens {
    case .none: answer(body())
    case .isLost:
      if self.planted == .lateAppendDone, call == .append {
        self.state.withLock { $0.late.append((2, { _ = body() })) }
      }
      answer(LogAnswer(.unavailable, "the server cannot be reached"))
    case .isRefused:
      if self.planted == .refusedAppendMade { _ = body() }
      answer(LogAnswer(.refused, "permission denied"))
    case .answerIsLost:
      _ = body()
      answer(lost)
    case .isLate(let calls):
      self.state.withLock { $0.late.append((calls, { _ = body() })) }
      answer(lost)
    }
  }

  /// The calls that arrive before this one.
  private func takeLate() -> [() -> Void] {
    self.state.withLock { state in
      for index in state.late.indices { state.late[index].calls -= 1 }
      defer { state.late.removeAll { $0.calls <= 0 } }
      return state.late.filter { $0.calls <= 0 }.map(\.body)
    }
  }

  /// Drops the calls that have not arrived: their connections end with the server.
  package func dropLate() {
    self.state.withLock { $0.late = [] }
  }

  /// Tells all who have a log open of a new entry.
  fileprivate func announce(_ log: Log, at address: String) {
    let connections = self.state.withLock { $0.connections.compactMap(\.connection) }
    for connection in connections where connection.address == address {
      connection.changed(log.head.number)
    }
  }
}

final class SimulatedConnection: DriverConnection, @unchecked Sendable {
  private let server: SimulatedLogServer
  let address: String
  let changed: @Sendable (Int) -> Void
  private let lock = Lock()

  init(
    _ server: SimulatedLogServer, _ address: String, _ changed: @escaping @Sendable (Int) -> Void
  ) {
    (self.server, self.address, self.changed) = (server, address, changed)
  }

  private func perform(
    _ call: SimulatedLogServer.Call, _ answer: LogAnswering,
    _ body: @escaping (SimulatedLogServer.Log) -> LogAnswer
  ) {
    let (server, address) = (self.server, self.address)
    server.perform(call, answer) {
      guard let log = server.log(address) else { return LogAnswer(.refused, "there is no log") }
      return body(log)
    }
  }

  func append(
    _ entries: [NewLogEntry], after place: LogPlace?, _ answer: @escaping LogAnswering
  ) {
    let id = ObjectIdentifier(self)
    let planted = self.server.planted
    self.perform(.append, answer) { log in
      guard log.mayAppend(id) else { return LogAnswer(.unavailable, "it is locked") }
      if let first = entries.first, planted != .counterIgnored {
        let last = log.lastCounter(of: first.origin, forgets: planted == .counterForgotten)
        guard first.counter == last + 1 else {
          var answer = LogAnswer(.repeated)
          (answer.head, answer.counter) = (log.head, last)
          return answer
        }
      }
      if let place, place != log.head, planted != .headIgnored {
        let isTrimmed = place.number < log.start.number
        guard isTrimmed || log.has(place) else {
          return LogAnswer(.diverged, "other entries")
        }
        var answer = LogAnswer(.moved)
        answer.head = log.head
        if !isTrimmed { answer.entries = log.entries(after: place.number) }
        return answer
      }
      switch planted {
      case .appendLost where entries.count > 0 && log.head.number % 7 == 6:
        var answer = LogAnswer(.done)
        answer.head = log.place(after: entries)
        return answer
      case .appendTwice where log.head.number % 7 == 6:
        log.append(entries)
        log.append(entries)
      default: log.append(entries)
      }
      var answer = LogAnswer(.done)
      answer.head = log.head
      return answer
    }
    if !entries.isEmpty, let log = self.server.log(self.address) {
      self.server.announce(log, at: self.address)
    }
  }

  func read(
    after place: LogPlace, limit: Int, holds: Bool, _ answer: @escaping LogAnswering
  ) {
    let id = ObjectIdentifier(self)
    let planted = self.server.planted
    self.perform(.read, answer) { log in
      guard place.number >= log.start.number else { return LogAnswer(.trimmed, "trimmed") }
      guard log.has(place) else {
        return LogAnswer(.diverged, "other entries")
      }
      if holds, log.holder == nil { log.holder = id }
      var answer = LogAnswer(.done)
      answer.head = log.head
      var size = 0
      for entry in log.entries(after: place.number) {
        guard size == 0 || size + entry.text.count <= limit else { break }
        size += entry.text.count
        answer.entries.append(entry)
      }
      if planted == .readFromStandby, let last = log.entries.dropLast().last {
        answer.entries.removeAll { $0.place.number > last.place.number }
        answer.head = last.place
      }
      if planted == .entryChanged, let first = answer.entries.first {
        answer.entries[0] = KeptLogEntry(
          first.place, first.text + [0x20], first.origin, counter: first.counter)
      }
      if planted == .orderLost, answer.entries.count > 2 { answer.entries.swapAt(0, 1) }
      if planted == .entrySkipped, answer.entries.count > 2 { answer.entries.remove(at: 1) }
      return answer
    }
  }

  func snapshot(_ answer: @escaping LogAnswering) {
    self.perform(.snapshot, answer) { log in
      var answer = LogAnswer(.done)
      (answer.place, answer.text, answer.head) = (log.snapshot.place, log.snapshot.text, log.head)
      return answer
    }
  }

  func put(
    snapshot: [UInt8], at place: LogPlace, replacing old: Int, _ answer: @escaping LogAnswering
  ) {
    let planted = self.server.planted
    self.perform(.put, answer) { log in
      guard old == log.snapshot.place.number else {
        var answer = LogAnswer(.moved)
        answer.counter = log.snapshot.place.number
        return answer
      }
      guard log.has(place) else { return LogAnswer(.diverged, "other entries") }
      log.snapshot = (planted == .snapshotTooEarly ? log.head : place, snapshot)
      return LogAnswer(.done)
    }
  }

  func trim(to number: Int, _ answer: @escaping LogAnswering) {
    self.perform(.trim, answer) { log in
      log.trim(to: min(number, log.snapshot.place.number))
      return LogAnswer(.done)
    }
  }

  func close() {
    let id = ObjectIdentifier(self)
    self.server.log(self.address).map { if $0.holder == id { $0.holder = nil } }
  }
}

extension SimulatedLogServer.Log {
  func has(_ place: LogPlace) -> Bool {
    if place.number == self.start.number { return place == self.start }
    let index = place.number - self.start.number - 1
    return self.entries.indices.contains(index) && self.entries[index].place == place
  }

  func entries(after number: Int) -> [KeptLogEntry] {
    Array(self.entries.dropFirst(max(0, number - self.start.number)))
  }

  /// Whether nobody else holds the log. A hold ends after a while.
  fileprivate func mayAppend(_ id: ObjectIdentifier) -> Bool {
    if let holder, holder != id, self.keptOff < 2 {
      self.keptOff += 1
      return false
    }
    (self.holder, self.keptOff) = (nil, 0)
    return true
  }

  fileprivate func append(_ entries: [NewLogEntry]) {
    for entry in entries {
      let place = entry.text.withUnsafeBytes { self.head.after($0) }
      let kept = KeptLogEntry(place, entry.text, entry.origin, counter: entry.counter)
      self.entries.append(kept)
      self.archive.append(kept)
      self.counters[entry.origin] = entry.counter
    }
  }

  fileprivate func place(after entries: [NewLogEntry]) -> LogPlace {
    entries.reduce(self.head) { place, entry in entry.text.withUnsafeBytes { place.after($0) } }
  }

  fileprivate func lastCounter(of origin: LogOrigin, forgets: Bool) -> Int {
    if forgets { return self.entries.last { $0.origin == origin }?.counter ?? 0 }
    return self.counters[origin] ?? 0
  }

  /// Removes the entries up to a number.
  package func trim(to number: Int) {
    if let last = self.entries.last(where: { $0.place.number <= number }) {
      self.start = last.place
    }
    self.entries.removeAll { $0.place.number <= number }
  }

  /// Goes back to an older copy, without the last entries and what they have changed.
  package func restore(without count: Int) {
    self.entries.removeLast(min(count, self.entries.count))
    let end = self.head.number
    self.archive.removeAll { $0.place.number > end }
    self.counters = [:]
    for entry in self.archive { self.counters[entry.origin] = entry.counter }
  }
}
