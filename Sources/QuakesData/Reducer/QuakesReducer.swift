import HashTreeCollections
import ImmutableJSON
import ProductSupport

/// Computes the next state from a state and an action.
///
/// It inserts only quakes whose numbers are finite, because JSON can write no others, and whose id
/// and name do not contain U+0000, because the database cannot store it.
public enum QuakesReducer {
  public struct Error: Swift.Error, Hashable {
    public enum Code: Hashable, Sendable {
      case quakeNotFound
    }

    public let code: Code
    let quakeId: Quake.ID
  }

  /// Returns the next state. A deletion is shown at once; if it fails, the quake is shown again,
  /// unless a later deletion or a response of the feed removes it as well.
  ///
  /// - Throws: ``Error`` for the deletion of a quake that does not exist.
  public static func reduce(state: QuakesState, action: QuakesAction) throws -> QuakesState {
    var state = state
    switch action {
    case .ui(.quakeList(let action)): try state.quakes.reduce(action)
    case .data(.persistentSession(.localStore(let action))): state.quakes.reduce(action)
    case .data(.persistentSession(.remoteStore(let action))): state.quakes.reduce(action)
    }
    return state
  }
}

extension QuakesReducer.Error: CustomStringConvertible {
  public var description: String {
    switch self.code {
    case .quakeNotFound: "there is no quake \(quoted(self.quakeId))"
    }
  }
}

extension QuakesState.Quakes {
  fileprivate mutating func reduce(_ action: QuakesAction.UI.QuakeList) throws {
    switch action {
    case .onAppear:
      self.status = self.status ?? .waiting
    case .onTapRefreshQuakesButton:
      self.status = .waiting
    case .onTapDeleteSelectedQuakeButton(let quakeId):
      guard let quake = self.data.removeValue(forKey: quakeId) else {
        throw QuakesReducer.Error(code: .quakeNotFound, quakeId: quakeId)
      }
      self.deletions.begin(quakeId, removing: [quakeId: quake])
    case .onTapDeleteAllQuakesButton:
      self.deletions.begin(nil, removing: self.data)
      self.data = [:]
    case .onTapRestoreQuakesButton(let quakes):
      self.putBack(quakes)
    }
  }

  fileprivate mutating func reduce(
    _ action: QuakesAction.Data.PersistentSession.LocalStore
  ) {
    switch action {
    case .didFetchQuakes(.success(let quakes)):
      self.mergeCached(quakes.filter(\.isRepresentable))
      self.status = .success
    case .didDeleteQuake(let quakeId, .failure(let error, let quake)):
      self.putBack(self.deletions.fail(quakeId, removed: [quake]).values)
      self.status = Status(failure: error)
    case .didDeleteAllQuakes(.failure(let error, let quakes)):
      self.putBack(self.deletions.fail(nil, removed: quakes).values)
      self.status = Status(failure: error)
    case .didDeleteQuake(let quakeId, .success):
      self.deletions.succeed(quakeId)
    case .didDeleteAllQuakes(.success):
      self.deletions.succeed(nil)
    case .didFetchQuakes(.failure(let error)), .didSaveQuakes(.failure(let error)):
      self.status = Status(failure: error)
    case .didSaveQuakes(.success):
      break
    }
  }

  fileprivate mutating func reduce(
    _ action: QuakesAction.Data.PersistentSession.RemoteStore
  ) {
    switch action {
    case .didFetchQuakes(.success(let quakes)):
      for quake in quakes {
        if 0 < quake.magnitude, quake.isRepresentable {
          self.data.merge(quake)
        } else {
          self.data[quake.id] = nil
        }
      }
      self.deletions.supersede(with: quakes)
      self.status = .success
    case .didFetchQuakes(.failure(let error)):
      self.status = Status(failure: error)
    case .didSkipFeatures:
      break
    }
  }

  /// Inserts or replaces quakes that were read from the cache, without those that a deletion in
  /// flight removes.
  private mutating func mergeCached(_ quakes: [Quake]) {
    guard !self.deletions.isEmpty else { return self.data.merge(quakes) }
    var shown: DeletionsInFlight.Quakes = [:]
    shown.merge(quakes)
    self.deletions.take(from: &shown)
    self.data.merge(shown.values)
  }

  /// Inserts quakes that were deleted, unless the feed has sent them again meanwhile.
  private mutating func putBack(_ quakes: some Sequence<Quake>) {
    for quake in quakes where self.data[quake.id] == nil && quake.isRepresentable {
      self.data[quake.id] = quake
    }
  }
}
