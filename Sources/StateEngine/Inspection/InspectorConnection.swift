import Glibc
import ImmutableJSON
import Threading

/// A client of an inspector. Used only by the thread of the inspector.
///
/// A client that does not read makes nothing wait: while enough is to be sent, its requests are not
/// read, and commits are dropped from its queues.
final class InspectorConnection {
  let descriptor: Int32

  private var input: [UInt8] = []
  /// How much of the input was taken, and searched for the end of a line.
  private var taken = 0
  private var searched = 0
  private var output: [UInt8] = []
  /// How much of the output was sent.
  private var sent = 0
  /// Whether the client sends nothing more. What it has asked for is still answered.
  private var hasEnded = false
  /// Whether something was left undone because too much waited to be sent.
  private var isUnfinished = false
  /// Whether something that it must know could not be added to the output.
  private var isLost = false

  /// What it reads of stores, by their numbers.
  private var attached: [Int: InspectedCommits] = [:]

  /// The longest request.
  private static var maxRequest: Int { 1 << 20 }
  /// From how many bytes on that wait to be sent nothing is added.
  private static var maxPending: Int { 1 << 18 }
  /// How many milliseconds it is served before others are.
  private static var turn: Int32 { 5 }

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit {
    InspectorSocket.close(self.descriptor)
  }
}

extension InspectorConnection {
  private var hasRoom: Bool {
    self.output.count - self.sent < Self.maxPending
  }

  /// Whether it is to be served at once.
  var hasWork: Bool {
    self.isUnfinished && self.hasRoom
  }

  /// What `poll` is to wait for.
  var polled: pollfd {
    let writes = self.sent < self.output.count
    let events = (self.hasRoom && !self.hasEnded ? POLLIN : 0) | (writes ? POLLOUT : 0)
    return pollfd(fd: self.descriptor, events: Int16(events), revents: 0)
  }

  /// Reads, answers and sends what can be without a wait.
  ///
  /// - Parameter answer: Answers a request.
  /// - Returns: `false` when the connection has ended.
  func serve(_ answer: (InspectorRequest, InspectorConnection) throws -> Value) -> Bool {
    guard self.send(), !self.isLost else { return false }
    guard self.hasRoom else { return true }
    self.receive()
    let end = Deadline(milliseconds: Self.turn)
    var goesOn = true
    while self.hasRoom, goesOn, let line = self.takeLine() {
      self.respond(to: line, answer)
      goesOn = !end.hasPassed
    }
    self.input.removeSubrange(..<self.taken)
    (self.searched, self.taken) = (self.searched - self.taken, 0)
    // If all lines were taken, this is a part of one.
    guard !self.hasRoom || !goesOn || self.input.count <= Self.maxRequest else { return false }
    for commits in self.attached.values where goesOn { goesOn = self.pass(commits, until: end) }
    self.isUnfinished = !self.hasRoom || !goesOn
    let isDone = self.hasEnded && !self.isUnfinished
    return self.send() && !(isDone && self.output.isEmpty)
  }

  /// - Returns: `false` if the deadline has passed before everything was passed on.
  private func pass(_ commits: InspectedCommits, until end: Deadline) -> Bool {
    while self.hasRoom, case let messages = commits.next(), !messages.isEmpty {
      for message in messages { self.append(message) }
      if end.hasPassed { return false }
    }
    return true
  }

  /// Tells the client of something. If too much waits to be sent, the connection ends.
  func notify(_ method: String, _ params: Value) {
    guard self.hasRoom else { return self.isLost = true }
    self.append(InspectorMessage.notification(method, params))
  }

  private func respond(
    to line: [UInt8], _ answer: (InspectorRequest, InspectorConnection) throws -> Value
  ) {
    var id = Value.null
    do {
      let request = try line.withUnsafeBytes { try InspectorRequest(line: $0, id: &id) }
      let result = try answer(request, self)
      guard let id = request.id else { return }
      self.append(InspectorMessage.response(id, result))
    } catch let failure as InspectorFailure {
      self.append(InspectorMessage.response(id, failure))
    } catch {
      self.append(InspectorMessage.response(id, InspectorFailure(EngineError(error), Redaction())))
    }
  }

  private func append(_ message: Value) {
    self.output += message.utf8JSON
    self.output.append(UInt8(ascii: "\n"))
  }
}

// MARK: Stores

extension InspectorConnection {
  /// Passes the commits of a store on from now on.
  ///
  /// - Parameters:
  ///   - isTraced: Whether the client wants the lines of the trace, too.
  ///   - wake: As for ``InspectedCommits``.
  /// - Returns: The number of the last commit before them.
  func attach(
    _ inspected: Inspected, isTraced: Bool, wake: @escaping @Sendable () -> Void
  ) throws(EngineError) -> Int {
    let known = self.attached[inspected.number]
    let commits = if let known { known } else { try InspectedCommits(inspected, wake: wake) }
    commits.trace(isTraced)
    self.attached[inspected.number] = commits
    return commits.last
  }

  func detach(_ number: Int) {
    self.attached[number] = nil
  }

  /// Passes on what a store that was closed has committed, as far as there is time, and tells that
  /// it was.
  func close(_ number: Int) {
    if let commits = self.attached.removeValue(forKey: number) {
      _ = self.pass(commits, until: Deadline(milliseconds: Self.turn))
      if let missed = commits.missed { self.append(missed) }
    }
    self.notify("closed", ["store": .integer(Int64(number))])
  }
}

// MARK: Bytes

extension InspectorConnection {
  private func receive() {
    guard self.input.count <= Self.maxRequest else { return }
    let bytes = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
      let received = recv(self.descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
      self.hasEnded = received == 0 || received < 0 && errno != EAGAIN && errno != EINTR
      count = max(received, 0)
    }
    self.input += bytes
  }

  /// Takes a line without its end.
  private func takeLine() -> [UInt8]? {
    guard let end = self.input[self.searched...].firstIndex(of: UInt8(ascii: "\n")) else {
      self.searched = self.input.count
      return nil
    }
    defer { (self.taken, self.searched) = (end + 1, end + 1) }
    return Array(self.input[self.taken..<end])
  }

  /// - Returns: `false` if the client does not read any more.
  private func send() -> Bool {
    while self.sent < self.output.count {
      let written = self.output.withUnsafeBytes { bytes in
        let rest = UnsafeRawBufferPointer(rebasing: bytes[self.sent...])
        return Glibc.send(
          self.descriptor, rest.baseAddress, rest.count,
          Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
      }
      guard written > 0 else {
        if written < 0, errno == EINTR { continue }
        guard written < 0, errno == EAGAIN else { return false }
        break
      }
      self.sent += written
    }
    guard self.sent < self.output.count else {
      (self.output, self.sent) = ([], 0)
      return true
    }
    // Moved as seldom as it doubles, so that sending a long text stays linear.
    if self.sent > self.output.count / 2 {
      self.output.removeSubrange(..<self.sent)
      self.sent = 0
    }
    return true
  }
}
