/// A cache of quakes.
///
/// Calls are synchronous, and may come from any thread, also concurrently: `close` while another
/// call runs, and the calls of two stores that share an instance.
public protocol PersistentSessionLocalStore: Sendable {
  /// Returns all quakes, in no particular order.
  func fetchLocalQuakesQuery() throws -> [Quake]

  /// Saves what a response of the feed changed, all or nothing. Inserted and updated quakes replace
  /// those with their ids.
  ///
  /// - Returns: The number of rows that were inserted, updated or deleted.
  func didFetchRemoteQuakesMutation(
    inserted: [Quake], updated: [Quake], deleted: [Quake]
  ) throws -> Int

  /// Deletes a quake, if there is one with this id.
  func deleteLocalQuakeMutation(quakeId: Quake.ID) throws

  func deleteLocalQuakesMutation() throws

  /// Releases resources. A call that comes later should throw an error.
  func close()
}

extension PersistentSessionLocalStore {
  public func close() {}
}

/// A feed of quakes.
public protocol PersistentSessionRemoteStore: Sendable {
  func fetchRemoteQuakesQuery(range: QuakeRange) throws -> QuakeFeed
}
