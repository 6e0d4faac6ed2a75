import AnimalsData
import Hummingbird
import Logging

/// A store of animals for many clients: requests take turns on a queue of its own, and those who read
/// changes are told of each, in order.
package actor ServedStore {
  private let store: LocalStore
  private let logger: Logger
  private let executor = QueueExecutor(label: "animals.store")

  /// All have been sent the changes up to `told`.
  private var readers: [ObjectIdentifier: ChangeReader] = [:]
  private var told = 0

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    self.executor.asUnownedSerialExecutor()
  }

  package init(path: String?, logger: Logger) throws {
    self.store = try LocalStore(path: path)
    self.logger = logger
  }

  /// Carries out all of a request or, if it throws, nothing of it.
  package func perform(_ request: RemoteRequest) throws -> RemoteResponse {
    let response = try self.store.transaction { try request.perform(on: $0) }
    self.tellReaders()
    return response
  }

  /// The number of the last change.
  package var lastChange: Int {
    get throws { try self.store.lastChange }
  }

  package func close() {
    self.store.close()
  }
}

extension ServedStore {
  /// Has a reader told of the changes after a number and of all that follow, while the body runs.
  /// Without a number, or if those changes are not kept any more, it is first told to fetch
  /// everything.
  package nonisolated func withReader(
    after number: Int?, onCut: @escaping @Sendable () -> Void,
    _ body: (ChangeReader) async throws -> Void
  ) async throws {
    let reader = ChangeReader(onCut: onCut)
    do {
      try await self.add(reader, after: number)
    } catch {
      self.logger.error("a reader is not told, as changes could not be read: \(error)")
      throw error
    }
    do {
      try await body(reader)
    } catch {
      await self.remove(reader)
      throw error
    }
    await self.remove(reader)
  }

  /// Tells all readers what another process has changed, and sends them a comment, so that
  /// connections which are gone are noticed.
  func sendComment() throws {
    self.tellReaders()
    self.send(try ByteBuffer(events: [.comment("still here")]))
  }

  private func add(_ reader: ChangeReader, after number: Int?) throws {
    // One transaction, so that no other process changes the database meanwhile.
    let missed = try self.store.transaction { store in
      self.tellReaders()
      if self.readers.isEmpty {
        self.told = try store.lastChange
      }
      return try number.flatMap { try store.changes(after: $0) }
    }
    var events = try missed.map(ByteBuffer.init(changes:))
    if events.map({ $0.readableBytes > ChangeReader.limit }) ?? true {
      events = try ByteBuffer(events: [.reset(number: self.told)])
    }
    if let events, events.readableBytes > 0 {
      _ = reader.send(events)
    }
    self.readers[ObjectIdentifier(reader)] = reader
  }

  private func remove(_ reader: ChangeReader) {
    self.readers[ObjectIdentifier(reader)] = nil
  }

  /// Brings the readers up to date. Those who cannot be are cut: they come again with the number of
  /// their last change.
  private func tellReaders() {
    guard !self.readers.isEmpty else { return }
    do {
      if let changes = try self.store.changes(after: self.told) {
        self.told = changes.last?.number ?? self.told
        self.send(try ByteBuffer(changes: changes))
      } else {
        self.told = try self.store.lastChange
        self.send(try ByteBuffer(events: [.reset(number: self.told)]))
      }
    } catch {
      self.logger.error("readers are cut, as changes could not be read: \(error)")
      self.readers.values.forEach { $0.cut() }
      self.readers = [:]
    }
  }

  private func send(_ bytes: ByteBuffer) {
    guard bytes.readableBytes > 0 else { return }
    for (id, reader) in self.readers where !reader.send(bytes) {
      self.readers[id] = nil
      reader.cut()
    }
  }
}
