import Glibc
import ImmutableJSON

/// A client of an inspector. Used only by the thread of the inspector.
///
/// A client that does not read makes nothing wait: while enough is to be sent, its requests are not
/// read, and commits are dropped from its queues.
final class InspectorConnection {
  let descriptor: Int32

  private var input: [UInt8] = []
  /// How much of the input was taken.
  private var taken = 0
  private var output: [UInt8] = []
  /// How much of the output was sent.
  private var sent = 0
  /// Whether the client sends nothing more. What it has asked for is still answered.
  private var hasEnded = false
  /// Whether something was left undone because too much waited to be sent.
  private var isUnfinished = false

  /// What it reads of stores, by their numbers.
  private var attached: [Int: InspectedCommits] = [:]

  /// The longest request.
  private static var maxRequest: Int { 1 << 20 }
  /// From how many bytes on that wait to be sent nothing is added.
  private static var maxPending: Int { 1 << 18 }

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
  var polled: [pollfd] {
    let writes = self.sent < self.output.count
    let events = (self.hasRoom && !self.hasEnded ? POLLIN : 0) | (writes ? POLLOUT : 0)
    var polled = [pollfd(fd: self.descriptor, events: Int16(events), revents: 0)]
    if self.hasRoom {
      polled += self.attached.values.map {
        pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0)
      }
    }
    return polled
  }

  /// Reads, answers and sends what can be without a wait.
  ///
  /// - Parameter answer: Answers a request.
  /// - Returns: `false` when the connection has ended.
  func serve(_ answer: (InspectorRequest, InspectorConnection) throws -> Value) -> Bool {
    guard self.send() else { return false }
    guard self.hasRoom else { return true }
    self.receive()
    while self.hasRoom, let line = self.takeLine() {
      self.respond(to: line, answer)
    }
    self.input.removeSubrange(..<self.taken)
    self.taken = 0
    // If there is room, this is a part of one line.
    guard !self.hasRoom || self.input.count <= Self.maxRequest else { return false }
    for commits in self.attached.values { self.pass(commits) }
    self.isUnfinished = !self.hasRoom
    let isDone = self.hasEnded && self.hasRoom
    return self.send() && !(isDone && self.output.isEmpty)
  }

  private func pass(_ commits: InspectedCommits) {
    while self.hasRoom, case let messages = commits.next(), !messages.isEmpty {
      for message in messages { self.append(message) }
    }
  }

  /// Tells the client of something, unless too much waits to be sent.
  func notify(_ method: String, _ params: Value) {
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
  /// - Parameter wake: As for ``InspectedCommits``.
  /// - Returns: The number of the last commit before them.
  func attach(_ inspected: Inspected, wake: (@Sendable () -> Void)?) throws(EngineError) -> Int {
    let commits = try InspectedCommits(inspected, wake: wake)
    self.attached[inspected.number] = commits
    return commits.start
  }

  func detach(_ number: Int) {
    self.attached[number] = nil
  }

  /// Passes on what a store that was closed has committed, and tells that it was.
  func close(_ number: Int) {
    if let commits = self.attached.removeValue(forKey: number) { self.pass(commits) }
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
    let rest = self.input[self.taken...]
    guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    self.taken = end + 1
    return Array(rest[..<end])
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
        return written < 0 && errno == EAGAIN
      }
      self.sent += written
    }
    (self.output, self.sent) = ([], 0)
    return true
  }
}
