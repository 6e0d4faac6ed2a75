import AnimalsData
import Hummingbird
import Logging

/// A store of animals for many clients. Requests run one at a time on a queue of their own. Readers
/// of changes receive every change, in order.
package actor ServedStore {
  private let store: LocalStore
  private let feed: ChangeFeed
  private let logger: Logger
  private let executor = QueueExecutor(label: "animals.store")

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    self.executor.asUnownedSerialExecutor()
  }

  package init(path: String?, logger: Logger) throws {
    self.store = try LocalStore(path: path)
    self.feed = try ChangeFeed(of: self.store, path: path, logger: logger)
    self.logger = logger
  }

  /// Performs a request atomically: all of it, or none if it throws.
  package func perform(_ request: RemoteRequest) async throws -> RemoteResponse {
    let response = try self.store.transaction { try request.perform(on: $0) }
    if request.mutation?.isEmpty == false {
      await self.feed.notifyReaders()
    }
    return response
  }

  /// The number of the last change, as readers know it.
  package var lastChange: Int {
    get throws { try self.store.lastChange + self.feed.offset }
  }

  package func close() async {
    await self.feed.close()
    self.store.close()
  }
}

extension ServedStore {
  /// Sends a reader the changes after a number, and later ones as they happen, while `body` runs.
  /// Without a number, or if some of those changes were discarded, first asks the reader to fetch
  /// everything.
  package nonisolated func withReader(
    after number: Int?, onDisconnect: @escaping @Sendable () -> Void,
    _ body: (ChangeReader) async throws -> Void
  ) async throws {
    let reader = ChangeReader(onDisconnect: onDisconnect)
    do {
      try await self.feed.add(reader, after: number)
    } catch {
      self.logger.error("changes could not be read for a new reader: \(error)")
      throw error
    }
    do {
      try await body(reader)
    } catch {
      await self.feed.remove(reader)
      throw error
    }
    await self.feed.remove(reader)
  }

  /// Sends all readers a comment.
  nonisolated func sendComment() async throws {
    try await self.feed.sendComment()
  }

  /// Whether the store polls for changes of other processes.
  package nonisolated var isPolling: Bool {
    get async { await self.feed.isPolling }
  }
}
