/// A cache of quakes.
///
/// Calls are synchronous. They may be made on any thread, but not concurrently.
public protocol PersistentSessionLocalStore: Sendable {
  /// Returns all quakes, in no particular order.
  func fetchLocalQuakesQuery() throws -> [Quake]

  /// Saves what a response of the feed changed, all or nothing. Inserted and updated quakes replace
  /// those with their ids.
  ///
  /// - Returns: The number of rows that differed and were written.
  func didFetchRemoteQuakesMutation(
    inserted: [Quake], updated: [Quake], deleted: [Quake]
  ) throws -> Int

  /// Deletes a quake, if there is one with this id.
  func deleteLocalQuakeMutation(quakeId: Quake.ID) throws

  func deleteLocalQuakesMutation() throws

  /// Releases resources. This is the last call.
  func close()
}

extension PersistentSessionLocalStore {
  public func close() {}
}

/// A feed of quakes.
public protocol PersistentSessionRemoteStore: Sendable {
  func fetchRemoteQuakesQuery(range: QuakeRange) throws -> QuakeFeed
}
