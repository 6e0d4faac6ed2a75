import AnimalsData
import Hummingbird
import Logging

/// Sends readers every change of a database, in order, including those of other processes.
///
/// The feed has its own queue and its own connection to the file, which only reads. So a request
/// that waits for another program's lock does not delay changes that are already committed.
actor ChangeFeed {
  private let store: LocalStore
  private let logger: Logger
  private let executor = QueueExecutor(label: "animals.changes")

  /// `nil` for a database in memory, which no other process can change.
  private let pollInterval: Duration?

  /// The difference between the id of a change, which readers see, and its number in the database:
  /// random for a database in memory, 0 for a file.
  ///
  /// A database in memory is new whenever the server starts. With a random offset, a reader cannot
  /// resume from an id of the previous server, and fetches everything.
  nonisolated let offset: Int

  private var readers: [ObjectIdentifier: ChangeReader] = [:]

  /// The number of the last change sent to readers.
  private var lastSent = 0

  /// Runs while there are readers.
  private var poller: Task<Void, Never>?

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    self.executor.asUnownedSerialExecutor()
  }

  /// - Parameters:
  ///   - store: The server's store. Used only if the database is in memory.
  ///   - path: The path of the file; `nil` for a database in memory.
  init(of store: LocalStore, path: String?, logger: Logger) throws {
    self.store = try path.map { try LocalStore(readingFrom: $0) } ?? store
    self.pollInterval = path == nil ? nil : .milliseconds(250)
    self.offset = path == nil ? .random(in: 1 << 40..<1 << 52) : 0
    self.logger = logger
  }

  func close() {
    self.stopPolling()
    self.store.close()
  }
}

// MARK: Readers

extension ChangeFeed {
  /// Adds a reader, and sends it the changes after an id, and later ones as they happen.
  func add(_ reader: ChangeReader, after id: Int?) throws {
    let number = id.flatMap { $0 >= self.offset ? $0 - self.offset : nil }
    if self.readers.isEmpty {
      self.lastSent = try self.store.lastChange
    } else {
      try self.sendNewChanges()
    }
    // The next update sends the changes after `lastSent`. A number above it is not from this
    // database.
    var missed: [ServerSentEvent]?
    if let number, number <= self.lastSent {
      missed = try self.store.changes(after: number)?.filter { $0.number <= self.lastSent }
        .map { self.event($0) }
    }
    var events = try missed.map(ByteBuffer.init(events:))
    if events.map({ $0.readableBytes > ChangeReader.limit }) ?? true {
      events = try ByteBuffer(events: [self.reset])
    }
    if let events, events.readableBytes > 0 {
      _ = reader.send(events)
    }
    self.readers[ObjectIdentifier(reader)] = reader
    self.startPolling()
  }

  func remove(_ reader: ChangeReader) {
    self.readers[ObjectIdentifier(reader)] = nil
    if self.readers.isEmpty {
      self.stopPolling()
    }
  }

  /// Sends readers the new changes. If these cannot be read, disconnects the readers; they
  /// reconnect with the id of their last change.
  func notifyReaders() {
    guard !self.readers.isEmpty else { return }
    do {
      try self.sendNewChanges()
    } catch {
      self.logger.error("changes could not be read, so readers are disconnected: \(error)")
      self.readers.values.forEach { $0.disconnect() }
      self.readers = [:]
      self.stopPolling()
    }
  }

  /// Sends readers a comment, which also detects broken connections.
  func sendComment() throws {
    self.send(try ByteBuffer(events: [.comment("still here")]))
  }

  private func sendNewChanges() throws {
    if let changes = try self.store.changes(after: self.lastSent) {
      self.lastSent = changes.last?.number ?? self.lastSent
      self.send(try ByteBuffer(events: changes.map { self.event($0) }))
    } else {
      self.lastSent = try self.store.lastChange
      self.send(try ByteBuffer(events: [self.reset]))
    }
  }

  private func event(_ change: (number: Int, change: RemoteResponse.Mutation)) -> ServerSentEvent {
    .change(number: change.number + self.offset, change.change)
  }

  private var reset: ServerSentEvent {
    .reset(number: self.lastSent + self.offset)
  }

  private func send(_ bytes: ByteBuffer) {
    guard bytes.readableBytes > 0 else { return }
    for (id, reader) in self.readers where !reader.send(bytes) {
      self.readers[id] = nil
      reader.disconnect()
    }
  }
}

// MARK: Changes of other processes

extension ChangeFeed {
  var isPolling: Bool {
    self.poller != nil
  }

  /// Polls for changes of other processes, because SQLite does not report their commits. A poll
  /// looks up the last key of one table, so its cost does not depend on the size of the database.
  private func startPolling() {
    guard self.poller == nil, let interval = self.pollInterval else { return }
    self.poller = Task { [weak self] in
      while (try? await Task.sleep(for: interval)) != nil {
        await self?.poll()
      }
    }
  }

  private func stopPolling() {
    self.poller?.cancel()
    self.poller = nil
  }

  private func poll() {
    if let last = try? self.store.lastChange, last == self.lastSent { return }
    self.notifyReaders()
  }
}
